internal import CWidgetLinux
internal import Glibc

/// A file under a temporary name that gets its own name only when it is complete and on the disk.
///
/// Until ``commit(as:replacing:)`` nothing of it can be seen under the final name; if that never comes, the
/// temporary name is removed.
package struct StagedFile: ~Copyable {
    /// The beginning of temporary names. Leftovers of a crash have it, and are swept.
    package static let prefix = ".staged-"

    package let file: FileDescriptor
    private let directory: Directory
    private let name: String

    /// A new file beside the names it may take.
    package init(in directory: borrowing Directory) throws(FileError) {
        let name = StagedFile.prefix + String(try RandomBytes.number(for: directory.path), radix: 16)
        // The stage outlives the loan, so it holds the directory open itself.
        let held = try directory.reopened()
        let file = try held.createFile(name, mode: 0o600)
        self.file = file
        self.directory = held
        self.name = name
    }

    /// The temporary path, for a library that opens files by path.
    package var path: String { directory.subject(name) }

    deinit {
        // An error cannot be reported from here; a leftover is swept at the next start.
        try? directory.removeFile(name)
    }

    /// Syncs the contents, gives the file its name, and syncs the directory: after this it survives a power cut.
    ///
    /// Without `replacing`, an existing file of that name stays and ``FileError/exists`` is thrown. So does a device or a
    /// pipe in any case: a file in its place would harm other programs.
    package consuming func commit(as target: String, replacing: Bool, mode: UInt32 = 0o644) throws(FileError) {
        if replacing, let status = try? directory.status(of: target), status.kind == .other {
            throw FileError(.rename, subject: target, code: EEXIST)
        }
        try file.setMode(mode)
        try file.synchronize()
        try directory.rename(name, to: target, in: directory, replacing: replacing)
        try directory.synchronize()
    }

    /// Syncs the contents, so that the file may be moved to where others see it.
    package borrowing func settle(mode: UInt32 = 0o644) throws(FileError) {
        try file.setMode(mode)
        try file.synchronize()
    }

    /// Moves a settled file to its name in another directory on the same file system, replacing a file of that name.
    ///
    /// The name survives a power cut once its directory has been synced, which is the caller's business.
    package borrowing func move(to target: String, in other: borrowing Directory) throws(FileError) {
        try directory.rename(name, to: target, in: other, replacing: true)
    }
}

extension Directory {
    /// Replaces a small file's contents at once: readers see the old bytes or the new ones, never a mixture.
    package borrowing func replaceFile(_ name: String, with bytes: [UInt8], mode: UInt32 = 0o644) throws(FileError) {
        let staged = try StagedFile(in: self)
        try staged.file.write(bytes, at: 0)
        try staged.commit(as: name, replacing: true, mode: mode)
    }
}

/// A private directory for work in progress, removed with everything in it when its owner is gone.
package struct ScratchDirectory: ~Copyable {
    package let directory: Directory
    private let parent: Directory
    private let name: String

    /// Makes one inside `parent`; only its owner may look in.
    package init(in parentPath: String) throws(FileError) {
        let parent = try Directory(opening: parentPath)
        let name = StagedFile.prefix + String(try RandomBytes.number(for: parentPath), radix: 16)
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
        // An error cannot be reported from here; a leftover is swept at the next start.
        try? parent.removeTree(name)
    }

    /// Exchanges the finished directory with the one under the final name, which becomes a leftover to sweep.
    package consuming func commit(inPlaceOf target: String) throws(FileError) {
        try commit(as: target, replacing: true)
    }

    /// Gives the finished directory its final name beside it.
    package consuming func commit(as target: String) throws(FileError) { try commit(as: target, replacing: false) }

    private consuming func commit(as target: String, replacing: Bool) throws(FileError) {
        try directory.synchronize()
        if replacing {
            try parent.exchange(name, with: target, in: parent)
            // This value removes the directory of the temporary name. That is now the old one, which may be in use.
            try parent.rename(name, to: name + "-replaced", in: parent, replacing: false)
        } else {
            try parent.rename(name, to: target, in: parent, replacing: false)
        }
        try parent.synchronize()
    }
}
