#pragma once

#include "stiction/run/simulation.h"
