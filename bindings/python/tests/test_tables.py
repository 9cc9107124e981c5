"""Scenes made of stiction.tables: the same fields as in scene files, because they are generated from their description."""
import dataclasses
import keyword
import os
import pathlib

import numpy as np
import pytest

import stiction
from stiction import _core, tables
from stiction.tables import Body, Contact, Driver, Joint, Scene, Shape, Time, World

examples = pathlib.Path(os.environ["STICTION_EXAMPLES"])


def make_ball():
    scene = Scene(title="A ball", world=World(gravity=[0, 0, -10]), time=Time(duration=1, step="10 ms"))
    scene.body["floor"] = Body(fixed=True, shape=Shape("halfspace"))
    scene.body["ball"] = Body(mass="2 kg", position=np.array([0, 0, 0.2]), shape=Shape("sphere", radius=0.1))
    scene.contact["default"] = Contact(friction=0.5)
    return scene


def test_a_scene_of_tables_is_that_of_a_dict():
    made = stiction.run(make_ball())
    same = stiction.run({"world": {"gravity": [0, 0, -10]}, "time": {"duration": 1, "step": 0.01},
                         "body": {"floor": {"fixed": True, "shape": {"type": "halfspace"}},
                                  "ball": {"mass": 2, "position": [0, 0, 0.2], "shape": {"type": "sphere", "radius": 0.1}}},
                         "contact": {"default": {"friction": 0.5}}})
    assert made.hash == same.hash and made.title == "A ball"
    assert stiction.run(make_ball().to_toml()).hash == made.hash
    assert stiction.run(make_ball(), set={"body.ball.mass": 3.0}).status == "completed"


def test_every_field_is_there():
    described = {}
    for table in _core.describe_tables():
        name = {"Top of the file": "Scene", "[[body.NAME.shape.surfaces]]": "Surface",
                "[body.NAME.shape.surface]": "ParametricSurface"}.get(table.heading)
        name = name or table.heading.strip("[]").replace(".NAME", "").replace('."A/B"', "").split(".")[-1].capitalize()
        described[name] = table
    assert sorted(described) == sorted(tables.__all__)
    for name, table in described.items():
        class_ = getattr(tables, name)
        names = {field.name.rstrip("_") for field in dataclasses.fields(class_)}
        wanted = {field.name for field in table.fields} | ({table.type_key} if table.types else set())
        assert names == wanted
        text = " ".join(class_.__doc__.split())
        for field in table.fields:
            assert " ".join(field.meaning.split()) in text and " ".join(field.sentence.split()) in text
            assert (field.required or field.default in text) and " ".join(field.formula.split()) in text
        assert not any(keyword.iskeyword(field.name) for field in dataclasses.fields(class_))
    assert "mass: mass [kg], > 0" in Body.__doc__ and "Equation: " in tables.Normal.__doc__


def to_tables(data, class_=Scene):
    """Read TOML as tables."""
    kinds = {"material": tables.Material, "body": Body, "joint": Joint, "constraint": tables.Constraint, "spring": tables.Spring,
             "motor": tables.Motor, "controller": tables.Controller, "driver": Driver, "force": tables.Force, "contact": Contact}
    inner = {"world": World, "time": Time, "method": tables.Method, "record": tables.Record, "expect": tables.Expect,
             "motion": tables.Motion, "copies": tables.Copies, "normal": tables.Normal, "layer": tables.Layer}
    given = {}
    for name, value in data.items():
        if class_ is Scene and name in kinds:
            value = {key: to_tables(table, kinds[name]) for key, table in value.items()}
        elif name in inner and isinstance(value, dict) and not (name == "motion" and class_ is Driver):
            value = to_tables(value, inner[name])
        elif name == "friction" and isinstance(value, dict):
            value = to_tables(value, tables.Friction)
        elif name == "shape" and isinstance(value.get("type"), str):
            value = to_tables(value, Shape)
        elif name == "shape":
            value = {part: to_tables(shape, Shape) for part, shape in value.items()}
        given[name + "_" if keyword.iskeyword(name) else name] = value
    return class_(**given)


def test_all_examples_as_tables():
    tomllib = pytest.importorskip("tomllib")  # Python 3.11
    count = 0
    for path in sorted(examples.glob("*.toml")):
        data = tomllib.loads(path.read_text())
        if "include" in data:
            continue
        made, read = stiction.Simulation(to_tables(data)), stiction.Simulation(path)
        made.step()
        read.step()
        assert made.hash == read.hash, path.name
        count += 1
    assert count > 60


def test_errors_are_faults():
    scene = make_ball()
    scene.body["ball"].mass = -1
    scene.time.step = "10 mm"
    faults = scene.check()
    assert sorted(fault.path for fault in faults) == ["body.ball.mass", "time.step"]
    with pytest.raises(stiction.SceneError) as caught:
        stiction.run(scene)
    assert len(caught.value.faults) == 2
    assert make_ball().check() == []
    with pytest.raises(AttributeError, match='did you mean "mass"'):
        scene.body["ball"].mas = 1
    with pytest.raises(TypeError, match="radus"):
        Shape("sphere", radus=1)
    with pytest.raises(TypeError, match="title: a scene cannot hold"):
        Scene(title=object()).to_toml()
    with pytest.raises(TypeError, match="body.a.mass: a scene cannot hold None"):
        stiction.to_toml({"body": {"a": {"mass": None}}})
    with pytest.raises(TypeError, match="keys of a scene are texts, got 1"):
        stiction.to_toml({1: 2})
    with pytest.raises(TypeError, match="world.gravity: a scene cannot hold 1j"):
        stiction.Simulation(make_ball()).set("world.gravity", [0, 0, 1j])
