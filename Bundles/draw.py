#!/usr/bin/env python3
"""Draws the images of the samples. Needs nothing but the standard library; the same pictures every time.

    python3 Bundles/draw.py [HarbourLog] [Postcard] [Planetarium] [Aviary]

A picture is a function of a point: it answers red, green, blue and alpha from 0 to 1. Points run from -1 to 1 over the
shorter side, y upwards. Every pixel is the mean of four points.
"""

import json
import math
import os
import random
import struct
import sys
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
CLEAR = (0, 0, 0, 0)


# What pictures are made of


def hexed(text):
    return tuple(int(text[start : start + 2], 16) / 255 for start in (0, 2, 4))


def mixed(one, other, share):
    share = min(max(share, 0), 1)
    return tuple(a + (b - a) * share for a, b in zip(one, other))


def over(top, bottom):
    """One colour with alpha on another without."""
    return mixed(bottom, top[:3], top[3])


GENERATOR = random.Random(20180620)
LATTICE = [GENERATOR.random() for _ in range(1 << 16)]


def noise(x, y, seed=0):
    """Smooth values from 0 to 1."""
    column, row = math.floor(x), math.floor(y)
    u, v = x - column, y - row
    u, v = u * u * (3 - 2 * u), v * v * (3 - 2 * v)
    place = column + row * 251 + seed * 7919
    below = LATTICE[place & 65535] * (1 - u) + LATTICE[place + 1 & 65535] * u
    above = LATTICE[place + 251 & 65535] * (1 - u) + LATTICE[place + 252 & 65535] * u
    return below * (1 - v) + above * v


def layered(x, y, seed=0):
    return sum(noise(x * 2**octave, y * 2**octave, seed + octave) / 2 ** (octave + 1) for octave in range(4))


def distance_to_line(x, y, ax, ay, bx, by):
    share = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2)
    share = min(max(share, 0), 1)
    return math.hypot(x - ax - share * (bx - ax), y - ay - share * (by - ay))


def inside(x, y, corners):
    """Whether a point lies in a polygon."""
    crossings = False
    for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1]):
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            crossings = not crossings
    return crossings


# Writing them down


def png(width, height, picture):
    side = min(width, height)
    rows = bytearray()
    for row in range(height):
        line = bytearray()
        for column in range(width):
            total = [0.0, 0.0, 0.0, 0.0]
            for step in range(4):
                x = (column + (step % 2 + 0.5) / 2 - width / 2) * 2 / side
                y = -(row + (step // 2 + 0.5) / 2 - height / 2) * 2 / side
                point = picture(x, y)
                point = point if len(point) == 4 else (*point, 1)
                for channel in range(3):
                    total[channel] += point[channel] * point[3]
                total[3] += point[3]
            alpha = total[3] / 4
            line += bytes(min(max(round(255 * value / max(total[3], 1e-9)), 0), 255) for value in total[:3])
            line.append(round(255 * alpha))
        # Differences from the pixel to the left compress better.
        rows.append(1)
        rows += bytes((line[index] - (line[index - 4] if index >= 4 else 0)) & 255 for index in range(len(line)))

    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(rows), 9)) + chunk(b"IEND", b"")


def write(path, data):
    path = os.path.join(HERE, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)
    print(f"{os.path.relpath(path, HERE)}: {len(data)} bytes")


# The harbour at night


def disc(picture):
    def shown(x, y):
        return picture(x, y) if math.hypot(x, y) < 0.98 else CLEAR

    return shown


def night(x, y):
    sky = mixed(hexed("2b4a63"), hexed("0e2233"), (y + 1) / 2)
    if y > -0.2 and noise(x * 23, y * 23, 5) > 0.965:
        return mixed(sky, (1, 1, 1), 0.8)
    return sky


def water(x, y, base):
    if y > -0.35 + 0.03 * math.sin(x * 9):
        return base
    band = math.sin((y * 18 + 0.6 * math.sin(x * 5)) * 2)
    return mixed(hexed("0a2a3d"), hexed("1d5673"), 0.5 + 0.5 * band)


def lamp(x, y):
    base = water(x, y, night(x, y))
    # The beam, then the tower with its bands, then the light itself.
    if y > 0.2 and abs(y - 0.42 - 0.12 * abs(x)) < 0.05 + 0.14 * abs(x):
        base = mixed(base, hexed("ffe9a8"), 0.75 - 0.6 * abs(x))
    if -0.6 < y < 0.3 and abs(x) < 0.16 - 0.09 * (y + 0.6):
        base = hexed("e8483c") if int((y + 0.6) * 6) % 2 else hexed("f4ead8")
    if 0.3 <= y < 0.52 and abs(x) < 0.11:
        base = hexed("ffd76a") if abs(x) < 0.07 else hexed("23323d")
    if 0.52 <= y < 0.66 and abs(x) < 0.13 * (0.66 - y) / 0.14:
        base = hexed("c23b31")
    if y < -0.5 and math.hypot(x, (y + 0.75) * 1.8) < 0.42:
        base = hexed("3b3f45")
    return base


def gull(x, y):
    base = mixed(hexed("9fd3e6"), hexed("4c93b8"), (y + 1) / 2)
    if math.hypot(x + 0.35, y - 0.45) < 0.2:
        base = hexed("ffd97a")
    for side in (-1, 1):
        wing = abs(y - 0.18 - 0.35 * math.sin(side * x * 3.2)) < 0.085 - 0.06 * abs(x)
        if wing and 0 < side * x < 0.78:
            base = hexed("5b6770") if abs(x) > 0.58 else (1, 1, 1)
    if math.hypot(x * 1.1, (y - 0.05) * 2.2) < 0.3:
        base = (1, 1, 1)
    if math.hypot(x - 0.27, y - 0.12) < 0.12:
        base = (1, 1, 1)
    if math.hypot(x - 0.3, y - 0.15) < 0.025:
        base = hexed("20282e")
    if inside(x, y, [(0.37, 0.15), (0.37, 0.07), (0.53, 0.08)]):
        base = hexed("f2a33c")
    return base


def fog(x, y):
    base = mixed(hexed("8fa3ad"), hexed("4d6470"), (y + 1) / 2)
    if math.hypot(x - 0.3, y - 0.35) < 0.18:
        base = mixed(base, hexed("fff3cf"), 0.7)
    for number, height in enumerate((0.42, 0.1, -0.22, -0.54)):
        wave = height + 0.07 * math.sin(x * 4 + number * 1.7)
        thickness = 0.1 + 0.03 * math.sin(x * 3 + number)
        reach = 0.8 - 0.12 * (number % 2)
        if abs(y - wave) < thickness and -reach < x + 0.1 * (number - 1) < reach:
            base = mixed(base, (1, 1, 1), 0.62)
    return base


def wave(x, y):
    base = mixed(hexed("f6c178"), hexed("3f6d8e"), (y + 0.4) / 1.2)
    for number, (height, tint) in enumerate((("0.28", "2f7fa0"), ("0.0", "1f6485"), ("-0.3", "134a66"))):
        crest = float(height) + 0.16 * math.sin(x * 4 + number * 2.1) + 0.05 * math.sin(x * 11 + number)
        if y < crest:
            base = hexed(tint)
        if 0 <= crest - y < 0.05:
            base = hexed("eaf6fa")
    return base


def ship(x, y):
    base = water(x, y, mixed(hexed("f7b267"), hexed("6d5c8c"), (y + 0.3) / 1.1))
    if inside(x, y, [(-0.7, -0.1), (0.72, -0.1), (0.52, -0.42), (-0.5, -0.42)]):
        base = hexed("b23a48") if y < -0.2 else hexed("f4ead8")
    if inside(x, y, [(-0.35, -0.1), (-0.35, 0.16), (0.12, 0.16), (0.2, -0.1)]):
        base = hexed("f4ead8")
        if abs(y - 0.05) < 0.045 and any(abs(x - place) < 0.045 for place in (-0.24, -0.1, 0.04)):
            base = hexed("35566b")
    if inside(x, y, [(-0.18, 0.16), (-0.18, 0.46), (-0.02, 0.46), (0.0, 0.16)]):
        base = hexed("2f3e46") if y > 0.36 else hexed("e8483c")
    for number in range(3):
        if math.hypot(x + 0.16 + 0.17 * number, y - 0.56 - 0.09 * number) < 0.09 + 0.03 * number:
            base = mixed(base, (1, 1, 1), 0.65)
    return base


def buoy(x, y):
    base = water(x, y + 0.05, mixed(hexed("a7d8de"), hexed("39778f"), (y + 0.4) / 1.4))
    lean = 0.22
    u, v = x * math.cos(lean) + y * math.sin(lean), -x * math.sin(lean) + y * math.cos(lean)
    if -0.5 < v < -0.12 and abs(u) < 0.34 - 0.1 * (v + 0.5):
        base = hexed("e8483c") if v < -0.26 else hexed("f4ead8")
    if -0.12 <= v < 0.42 and (abs(abs(u) - (0.2 - 0.22 * (v + 0.12))) < 0.035 or abs(v - 0.12) < 0.03 and abs(u) < 0.17):
        base = hexed("7c2128")
    if math.hypot(u, v - 0.5) < 0.11:
        base = hexed("ffd76a")
    if y < -0.42 + 0.05 * math.sin(x * 9):
        base = water(x, y, base)
    return base


# Paper


def harbour(x, y):
    """A postcard's picture: wide, so x runs further than 1."""
    base = mixed(hexed("fbd9a0"), hexed("e98a6d"), (0.9 - y) / 1.6)
    sun = math.hypot(x - 1.1, y - 0.25)
    if sun < 0.36:
        base = hexed("fff1c9")
    elif sun < 0.8:
        base = mixed(hexed("ffe3a6"), base, (sun - 0.36) / 0.44)
    for seed, (height, depth, tint) in enumerate(((0.15, 0.42, "c77b73"), (-0.02, 0.3, "8f5a68"))):
        if y < height + depth * (layered(x * 1.3 + seed * 7, 3.5, seed) - 0.45):
            base = hexed(tint)
    for place, top, tint in ((-1.7, 0.28, "f4ead8"), (-1.42, 0.42, "d98c6a"), (-1.12, 0.2, "f0c987"), (-0.85, 0.36, "b9c4b5")):
        if abs(x - place) < 0.13 and -0.32 < y < top:
            base = hexed(tint)
            if (x - place + 1) % 0.09 < 0.04 and (y + 1) % 0.16 < 0.08:
                base = hexed("5d4a52")
        if abs(x - place) < 0.16 * (top + 0.16 - y) / 0.16 and top <= y < top + 0.16:
            base = hexed("a3423b")
    if y < -0.3:
        base = mixed(hexed("c9786a"), hexed("34566b"), (-0.25 - y) * 1.6)
        if math.sin(y * 60 + math.sin(x * 7)) > 0.55:
            base = mixed(base, hexed("ffe3a6"), 0.5 - 0.3 * abs(x - 1.1))
    for place, size in ((0.2, 0.34), (0.72, 0.22)):
        if inside(x, y, [(place - size, -0.38), (place + size, -0.38), (place + size * 0.7, -0.52), (place - size * 0.7, -0.52)]):
            base = hexed("3a2e35")
        if inside(x, y, [(place, -0.34), (place, -0.3 + size * 2.4), (place + size * 0.8, -0.34)]):
            base = hexed("fdf6e3")
        if inside(x, y, [(place - 0.03, -0.34), (place - 0.03, -0.36 + size * 2), (place - size * 0.65, -0.34)]):
            base = hexed("efdcc0")
    return base


def stamp(x, y):
    # Perforated edges.
    edge = max(abs(x), abs(y))
    if edge > 0.97:
        return CLEAR
    for place in range(-6, 7):
        for ax, ay in ((place / 6.2, 0.97), (place / 6.2, -0.97), (0.97, place / 6.2), (-0.97, place / 6.2)):
            if math.hypot(x - ax, y - ay) < 0.055:
                return CLEAR
    if edge > 0.84:
        return hexed("fffaf0")
    base = mixed(hexed("f6c178"), hexed("c8553d"), (0.84 - y) / 1.7)
    angle, length = math.atan2(y + 0.1, x), math.hypot(x, y + 0.1)
    if length < 0.3:
        base = hexed("fff3cf")
    elif length < 0.7 and math.cos(angle * 12) > 0.1 and y > -0.28:
        base = hexed("ffe08a")
    if y < -0.28 + 0.04 * math.sin(x * 10):
        base = hexed("2d6a7f") if math.sin(y * 40) < 0.3 else hexed("4f93a8")
    return base


# A birdwatcher without a portrait


def nobody(x, y):
    paper, figure = hexed("d8dee3"), hexed("8d9aa5")
    head = math.hypot(x, y - 0.22) < 0.34
    shoulders = math.hypot(x / 0.66, (y + 0.98) / 0.72) < 1
    return figure if head or shoulders else paper


# The sky


def globe(surface, tilt=0.0, radius=0.92, ambient=0.06):
    """A ball in light from the upper left; surface(longitude, latitude) answers its colour."""

    def shown(x, y):
        length = math.hypot(x, y) / radius
        if length > 1:
            return CLEAR
        u, v = x / radius, y / radius
        z = math.sqrt(max(0, 1 - length * length))
        across, along = u * math.cos(tilt) - v * math.sin(tilt), u * math.sin(tilt) + v * math.cos(tilt)
        colour = surface(math.atan2(across, z), math.asin(max(-1, min(1, along))))
        light = max(0, -0.52 * u + 0.48 * v + 0.7 * z)
        return mixed((0, 0, 0), colour, ambient + (1 - ambient) * light ** 0.8)

    return shown


def banded(*tints, seed=0, rough=0.25, count=7.0):
    colours = [hexed(tint) for tint in tints]

    def surface(longitude, latitude):
        swirl = layered(longitude * 2.2, latitude * 7, seed) - 0.5
        place = (latitude / math.pi + 0.5) * count + swirl * rough * 4
        step = math.floor(place)
        return mixed(colours[step % len(colours)], colours[(step + 1) % len(colours)], place - step)

    return surface


def earth(longitude, latitude):
    land = layered(longitude * 1.6 + 3, latitude * 1.8, 11)
    colour = hexed("1d5fa8") if land < 0.52 else mixed(hexed("3f8f4f"), hexed("b59b5b"), (land - 0.52) * 5)
    if abs(latitude) > 1.15 + 0.2 * (land - 0.5):
        colour = hexed("f2f7fb")
    clouds = layered(longitude * 2.4 + 9, latitude * 3.6, 31)
    return mixed(colour, (1, 1, 1), (clouds - 0.52) * 5)


def mars(longitude, latitude):
    colour = mixed(hexed("c1592f"), hexed("7d3319"), (layered(longitude * 2, latitude * 2, 4) - 0.35) * 2.2)
    return hexed("f4ece6") if latitude > 1.2 + 0.1 * noise(longitude * 4, 1) else colour


def jupiter(longitude, latitude):
    colour = banded("d9b38c", "f2e2c9", "b5835a", "efd9b8", seed=2, count=9)(longitude, latitude)
    spot = math.hypot((longitude - 0.5) / 0.34, (latitude + 0.38) / 0.17)
    return mixed(hexed("b6452c"), colour, (spot - 0.55) * 2) if spot < 1.05 else colour


def saturn(x, y):
    tilt = 0.42
    u, v = x * math.cos(tilt) + y * math.sin(tilt), -x * math.sin(tilt) + y * math.cos(tilt)
    ring = math.hypot(u, v * 3.4)
    ball = globe(banded("e8d3a2", "f3e6c4", "cfb27c", seed=8, rough=0.08, count=8), -tilt, 0.52)(x, y)
    behind = v > 0 and ball[-1] != 0 and len(ball) == 3
    if 0.62 < ring < 0.98 and not behind and not 0.815 < ring < 0.835:
        tint = mixed(hexed("8f7a55"), hexed("e9dbb6"), 0.5 + 0.5 * math.sin(ring * 70))
        shade = 0.3 if u > 0.12 and v > 0 and abs(u - 0.3) < 0.25 else 1.0
        return (*mixed((0, 0, 0), tint, shade), 0.92)
    return ball


def cratered(light, dark, seed, count=26):
    bright, dim = hexed(light), hexed(dark)
    spots = []
    for number in range(count):
        longitude = (noise(number * 1.7, 0.3, seed) - 0.5) * 3.4
        latitude = (noise(0.9, number * 2.3, seed + 1) - 0.5) * 2.6
        spots.append((longitude, latitude, 0.05 + 0.16 * noise(number * 3.1, 7.7, seed + 2) ** 2))

    def surface(longitude, latitude):
        colour = mixed(bright, dim, (layered(longitude * 1.7, latitude * 1.7, seed) - 0.3) * 1.8)
        for ax, ay, size in spots:
            length = math.hypot((longitude - ax) * math.cos(latitude), latitude - ay) / size
            if length < 0.82:
                colour = mixed(colour, dim, 0.45)
            elif length < 1:
                colour = mixed(colour, (1, 1, 1), 0.22)
        return colour

    return surface


def ice(longitude, latitude):
    colour = mixed(hexed("e9f1f6"), hexed("b9cfdc"), layered(longitude * 2, latitude * 2, 21))
    for number in range(9):
        slope, shift = (noise(number, 3) - 0.5) * 3, (noise(number, 9) - 0.5) * 2.4
        crack = abs(latitude - slope * longitude - shift - 0.12 * math.sin(longitude * 5 + number))
        if crack < 0.035:
            colour = mixed(colour, hexed("a5654a"), 0.55)
    return colour


def fire(longitude, latitude):
    colour = mixed(hexed("f3d95b"), hexed("c58a2e"), layered(longitude * 2.4, latitude * 2.4, 41) * 1.3)
    for number in range(14):
        ax, ay = (noise(number, 1, 50) - 0.5) * 3, (noise(number, 2, 51) - 0.5) * 2.2
        length = math.hypot(longitude - ax, latitude - ay) / (0.06 + 0.1 * noise(number, 3, 52))
        if length < 1:
            colour = mixed(hexed("3b1d12"), hexed("e8602c"), length)
    return colour


def asset(name, size, picture):
    """An image set as Xcode keeps it, drawn for screens with two pixels to a point."""
    folder = f"Planetarium/Assets.xcassets/{name}.imageset"
    write(f"{folder}/{name}@2x.png", png(size, size, picture))
    images = [{"idiom": "universal", "scale": scale} for scale in ("1x", "2x", "3x")]
    images[1]["filename"] = f"{name}@2x.png"
    contents = {"images": images, "info": {"author": "xcode", "version": 1}}
    write(f"{folder}/Contents.json", (json.dumps(contents, indent=2) + "\n").encode())


def harbour_log():
    for picture in (lamp, gull, fog, wave, ship, buoy):
        for scale, suffix in ((1, ""), (2, "@2x")):
            write(f"HarbourLog/{picture.__name__}{suffix}.png", png(120 * scale, 120 * scale, disc(picture)))


def postcard():
    write("Postcard/harbour.png", png(335, 150, harbour))
    write("Postcard/harbour@2x.png", png(670, 300, harbour))
    write("Postcard/stamp_sun.png", png(60, 60, stamp))
    write("Postcard/stamp_sun@2x.png", png(120, 120, stamp))


def planetarium():
    write("Planetarium/Assets.xcassets/Contents.json", b'{\n  "info": {\n    "author": "xcode",\n    "version": 1\n  }\n}\n')
    asset("planet_earth", 240, globe(earth, 0.3))
    asset("planet_mars", 240, globe(mars, 0.4))
    asset("planet_jupiter", 240, globe(jupiter, 0.05))
    asset("planet_saturn", 240, saturn)
    asset("planet_uranus", 240, globe(banded("a9e3e3", "9bd7dc", "b6ebe6", seed=3, rough=0.05, count=5), 1.5))
    asset("planet_neptune", 240, globe(banded("3b62d9", "2c4cb8", "5c86ea", "3157c9", seed=6, rough=0.3, count=6), 0.5))
    asset("moon_rock", 240, globe(cratered("b7b2aa", "6d675f", 61), 0.2))
    asset("moon_ice", 240, globe(ice, 0.4))
    asset("moon_fire", 240, globe(fire, 0.1))
    asset("moon_haze", 240, globe(banded("e0a64a", "d28f35", "e8b765", seed=15, rough=0.12, count=5), 0.3))


def aviary():
    write("Aviary/nobody.png", png(60, 60, disc(nobody)))
    write("Aviary/nobody@2x.png", png(120, 120, disc(nobody)))


SAMPLES = {"HarbourLog": harbour_log, "Postcard": postcard, "Planetarium": planetarium, "Aviary": aviary}
for name in sys.argv[1:] or SAMPLES:
    if name not in SAMPLES:
        sys.exit(f"error: there is no sample {name}; there are {', '.join(SAMPLES)}")
    SAMPLES[name]()
