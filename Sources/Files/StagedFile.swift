internal import CLinux

/// A file under a temporary name that gets its own name only when it is complete and on the disk.
///
/// Until ``commit(as:replacing:)`` nothing of it can be seen under the final name; if that never comes, the
/// temporary name is removed.
package struct StagedFile: ~Copyable {
    /// What temporary names begin with, so that leftovers of a crash can be told apart and swept.
    package static let prefix = ".staged-"

    package let file: FileDescriptor
    private let directory: Directory
    private let name: String

    /// A new file beside the names it may take.
    package init(in directory: borrowing Directory) throws(FileError) {
        let name = StagedFile.prefix + String(try randomNumber(for: directory.path), radix: 16)
        // The stage outlives the loan, so it holds the directory open itself.
        let held = try directory.reopened()
        let file = try held.createFile(name, mode: 0o600)
        self.file = file
        self.directory = held
        self.name = name
    }

    /// Where it is for now, for a library that opens files by path.
    package var path: String { directory.subject(name) }

    deinit {
        // Nobody is left to tell; a leftover is swept at the next start.
        try? directory.removeFile(name)
    }

    /// Syncs the contents, gives the file its name, and syncs the directory: after this it survives a power cut.
    ///
    /// Without `replacing`, an existing file of that name stays and ``FileError/exists`` is thrown.
    package consuming func commit(as target: String, replacing: Bool, mode: UInt32 = 0o644) throws(FileError) {
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

    /// Moves a settled file to its name in another directory on the same file system, in place of whatever has it.
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
