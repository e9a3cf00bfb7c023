/// The version of the programs and of the package.
package enum Version {
    package static let text = "0.1.0"
}
