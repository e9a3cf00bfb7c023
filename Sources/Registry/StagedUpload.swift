package import Files

/// A file in the staging folder, gone with its owner unless it is published.
package struct StagedUpload: ~Copyable, Sendable {
    let staged: StagedFile

    package var file: FileDescriptor {
        _read { yield staged.file }
    }
}
