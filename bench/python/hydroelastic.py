"""Drake's hydroelastic contact (PyPI: drake) for the table of docs/benchmarks.md: a soft ball on a rigid half-space.

The ball's pressure is E (1 - r/R), r the distance from its centre. Its force at the depth d has a closed form, with
h = R - d, a^2 = R^2 - h^2:
    F = 2 pi E (a^2 / 2 - (R^3 - h^3) / (3 R))
Drake meshes the ball with edges of `resolution_hint`. It is turned about a horizontal axis at constant depth: the
printed error is that of the mean force over half a turn, the ripple is (largest - smallest) / mean, the time is the
processor time for one evaluation of the plant's contact results.
"""

import math
import time

import numpy as np
from pydrake.geometry import AddCompliantHydroelasticProperties, AddRigidHydroelasticProperties
from pydrake.geometry import HalfSpace, ProximityProperties, Sphere, AddContactMaterial
from pydrake.math import RigidTransform, RotationMatrix
from pydrake.multibody.plant import AddMultibodyPlantSceneGraph, ContactModel, CoulombFriction
from pydrake.multibody.tree import SpatialInertia, UnitInertia
from pydrake.systems.framework import DiagramBuilder

RADIUS, MODULUS, MASS = 0.1, 1e6, 1.0
POSES = 180


def exact_force(depth):
    h = RADIUS - depth
    return 2 * math.pi * MODULUS * ((RADIUS**2 - h**2) / 2 - (RADIUS**3 - h**3) / (3 * RADIUS))


def make_plant(resolution):
    builder = DiagramBuilder()
    plant, _ = AddMultibodyPlantSceneGraph(builder, time_step=0.0)
    inertia = SpatialInertia(MASS, np.zeros(3), UnitInertia.SolidSphere(RADIUS))
    body = plant.AddRigidBody("ball", inertia)
    soft, hard = ProximityProperties(), ProximityProperties()
    AddContactMaterial(dissipation=0.0, friction=CoulombFriction(0.0, 0.0), properties=soft)
    AddCompliantHydroelasticProperties(resolution, MODULUS, soft)
    AddContactMaterial(dissipation=0.0, friction=CoulombFriction(0.0, 0.0), properties=hard)
    AddRigidHydroelasticProperties(properties=hard)
    plant.RegisterCollisionGeometry(body, RigidTransform(), Sphere(RADIUS), "ball", soft)
    plant.RegisterCollisionGeometry(plant.world_body(), RigidTransform(), HalfSpace(), "plane", hard)
    plant.set_contact_model(ContactModel.kHydroelastic)
    plant.Finalize()
    diagram = builder.Build()
    context = diagram.CreateDefaultContext()
    return diagram, plant, body, context


def measure(resolution, depth):
    diagram, plant, body, context = make_plant(resolution)
    at = plant.GetMyContextFromRoot(context)
    port = plant.get_contact_results_output_port()
    forces, begin = [], time.process_time()
    for k in range(POSES):
        turn = RotationMatrix.MakeYRotation(math.pi * k / POSES) @ RotationMatrix.MakeXRotation(0.3)
        plant.SetFreeBodyPose(at, body, RigidTransform(turn, [0, 0, RADIUS - depth]))
        results = port.Eval(at)
        n = results.num_hydroelastic_contacts()
        force = sum(abs(results.hydroelastic_contact_info(i).F_Ac_W().translational()[2]) for i in range(n))
        forces.append(force)
    elapsed = (time.process_time() - begin) / POSES
    mean = np.mean(forces)
    return mean / exact_force(depth) - 1, (max(forces) - min(forces)) / max(mean, 1e-300), elapsed


if __name__ == "__main__":
    print("depth m   resolution m   error of the mean   ripple   us")
    for depth in (1e-2, 1e-3):
        for resolution in (0.1, 0.05, 0.02, 0.01, 0.005):
            error, ripple, elapsed = measure(resolution, depth)
            print(f"{depth:.0e}     {resolution:<12g}   {error:+.1e}            {ripple:.1e}   {1e6 * elapsed:.0f}")
