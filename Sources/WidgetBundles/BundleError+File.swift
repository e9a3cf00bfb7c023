package import Files

extension BundleError {
    /// The failure of a file that a program opened itself.
    package init(_ error: FileError) {
        self.init(.file(error))
    }
}
