/// The version of the program and of the package.
enum Version {
    static let text = "0.1.0"
}
