internal import Glibc

/// A directory of its own for work in progress, removed with everything in it when its owner is gone.
package struct ScratchDirectory: ~Copyable {
    package let directory: Directory
    private let parent: Directory
    private let name: String

    /// Makes one inside `parent`; only its owner may look in.
    package init(in parentPath: String) throws(FileError) {
        let parent = try Directory(opening: parentPath)
        let name = StagedFile.prefix + String(try randomNumber(for: parentPath), radix: 16)
        guard unsafe mkdirat(parent.descriptor.number, name, 0o700) == 0 else {
            throw .last(.createDirectory, parent.subject(name))
        }
        let directory = try parent.openDirectory(name)
        self.directory = directory
        self.parent = parent
        self.name = name
    }

    package var path: String { directory.path }

    deinit {
        // Nobody is left to tell; a leftover is swept at the next start.
        try? parent.removeTree(name)
    }

    /// Gives the finished directory the name of what is there already, which becomes a leftover of staging.
    package consuming func commit(inPlaceOf target: String) throws(FileError) {
        try directory.synchronize()
        try parent.exchange(name, with: target, in: parent)
        // Its own name is what goes with this value, and somebody may be using what has it now.
        try parent.rename(name, to: name + "-replaced", in: parent, replacing: false)
        try parent.synchronize()
    }

    /// Gives the finished directory its final name beside it.
    package consuming func commit(as target: String) throws(FileError) {
        try directory.synchronize()
        try parent.rename(name, to: target, in: parent, replacing: false)
        try parent.synchronize()
    }
}
