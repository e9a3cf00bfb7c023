"""Disks as a power cut leaves them, made of what Tests/Faults/recorder.c has written down."""

import os
import struct

CREATE, WRITE, TRUNCATE, SYNC, RENAME, REMOVE, FOLDER, EXCHANGE = range(1, 9)
PAGE = 4_096


class Record:
    """What the recorder has written down, and how many bytes of it there were at the end of each change."""

    HEAD = struct.Struct("<7q")

    def __init__(self, path):
        data = open(path, "rb").read()
        self.changes, self.ends, position = [], [], 0
        while position < len(data):
            kind, inode, other, a, _, first, second = self.HEAD.unpack_from(data, position)
            position += self.HEAD.size
            self.changes.append((kind, inode, other, a, data[position : position + first], data[position + first :][:second]))
            position += first + second
            self.ends.append(position)


class Node:
    """A file or folder: what of it is on the disk for certain, and what has happened to it since."""

    def __init__(self, isFolder):
        self.isFolder = isFolder
        self.contents, self.names, self.pending = bytearray(), {}, []

    def settle(self):
        if self.isFolder:
            for name, node in self.pending:
                setName(self.names, name, node)
        else:
            for change in self.pending:
                apply(self.contents, *change)
        self.pending = []


def setName(names, name, node):
    if node is None:
        names.pop(name, None)
    else:
        names[name] = node


def apply(contents, offset, data):
    """A write; or without data, a new length."""
    if data is None:
        del contents[offset:]
        contents.extend(bytes(offset - len(contents)))
        return
    contents.extend(bytes(max(0, offset - len(contents))))
    contents[offset : offset + len(data)] = data


class Disk:
    def __init__(self, inode):
        self.root = Node(True)
        self.nodes = {inode: self.root}
        self.last = None

    def current(self, folder):
        names = dict(folder.names)
        for name, node in folder.pending:
            setName(names, name, node)
        return names

    def change(self, kind, inode, other, a, first, second):
        self.last = None
        if kind in (CREATE, FOLDER):
            self.nodes[inode] = Node(kind == FOLDER)
            self.nodes[other].pending.append((first, self.nodes[inode]))
        elif kind in (WRITE, TRUNCATE):
            node = self.nodes.get(inode)
            if node is None:
                return
            node.pending.append((a, first if kind == WRITE else None))
            self.last = node if kind == WRITE else None
        elif kind == SYNC:
            if inode in self.nodes:
                self.nodes[inode].settle()
        elif kind == REMOVE:
            self.nodes[other].pending.append((first, None))
        else:
            source, target = self.nodes[inode], self.nodes[other]
            moved, met = self.current(source)[first], self.current(target).get(second)
            target.pending.append((second, moved))
            source.pending.append((first, met if kind == EXCHANGE else None))

    def make(self, way, path, choose):
        """Lays out what the disk holds after a power cut."""
        marks = []
        stack = [(self.root, path)]
        seen = {}
        while stack:
            folder, place = stack.pop()
            names = dict(folder.names)
            if way == "reordered":
                # Of each name any state it went through.
                states = {}
                for name, node in folder.pending:
                    states.setdefault(name, [names.get(name)]).append(node)
                for name in sorted(states):
                    setName(names, name, choose.choice(states[name]))
            elif way in ("torn", "empty"):
                names = self.current(folder)
            for name in sorted(names):
                node, target = names[name], os.path.join(place, name.decode())
                marks.append(target[len(path) :])
                if node.isFolder:
                    os.mkdir(target, 0o700)
                    stack.append((node, target))
                elif id(node) in seen:
                    os.link(seen[id(node)], target)
                else:
                    seen[id(node)] = target
                    contents = self.contents(node, way, choose)
                    marks.append(hash(bytes(contents)))
                    with open(target, "wb") as file:
                        file.write(contents)
        return hash(tuple(marks))

    def contents(self, node, way, choose):
        contents = bytearray(node.contents)
        if way in ("lost", "empty"):
            return contents
        for number, (offset, data) in enumerate(node.pending):
            if data is None:
                if way != "reordered" or choose.random() < 0.5:
                    apply(contents, offset, None)
            elif way == "reordered":
                for start in range(0, len(data), PAGE):
                    if choose.random() < 0.5:
                        apply(contents, offset + start, data[start : start + PAGE])
            elif way == "torn" and node is self.last and number == len(node.pending) - 1:
                parts, third = choose.randrange(1, 7), -(-len(data) // 3)
                for part in range(3):
                    if parts >> part & 1:
                        apply(contents, offset + part * third, data[part * third : (part + 1) * third])
            else:
                apply(contents, offset, data)
        return contents
