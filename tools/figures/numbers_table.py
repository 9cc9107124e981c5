"""The numbers under a figure: what the print, its caption or its text says, what a closed form gives, and ours.

A number that stands nowhere in the paper is no "print", however sure it is: closed forms have a column of their own."""
from collections import namedtuple

Number = namedtuple("Number", "quantity printed closed ours")


def printed(quantity, text, ours, closed=""):
    """`text`: as the paper has it, or as it is read off the curves."""
    return Number(quantity, text, closed, ours)


def computed(quantity, closed, ours):
    return Number(quantity, "", closed, ours)


def ours_alone(quantity, ours):
    return Number(quantity, "", "", ours)
