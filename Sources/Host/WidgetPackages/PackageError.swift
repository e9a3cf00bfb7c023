package import WidgetContract
package import WidgetFiles

/// The reason why a package leads to no widget.
package enum PackageError: Error, Equatable, Sendable, CustomStringConvertible {
    /// No compiler is found: under the name that was given, or in any folder of `PATH`.
    case noToolchain(name: String)
    case file(FileError)
    /// The compiler, or what it reads, has faults.
    case notBuilt(BuildLog)
    /// The list of the package's products cannot be read.
    case unreadableDescription(String)
    case noProduct
    case severalProducts([String])
    case unknownProduct(String, known: [String])
    /// The program does not describe its widget.
    case program(NativeFailure)

    package var description: String {
        switch self {
        case .noToolchain(let name): "the program \(name), which builds packages, is not found"
        case .file(let error): "\(error)"
        case .notBuilt(let log): log.firstError
        case .unreadableDescription(let reason): "the products of the package cannot be read: \(reason)"
        case .noProduct: "the package has no program"
        case .severalProducts(let names): "the package has several programs: \(names.joined(separator: ", "))"
        case .unknownProduct(let name, let known):
            "the package has no program \(name); it has \(known.joined(separator: ", "))"
        case .program(let failure): "\(failure)"
        }
    }

    package var hints: [String] {
        switch self {
        case .noToolchain:
            [
                "install Swift from swift.org, or name its program in the variable SWIFT, as SWIFT=/opt/swift/usr/bin/swift"
            ]
        case .file, .unreadableDescription: []
        case .notBuilt: ["`swift build` in the folder of the package shows the same"]
        case .noProduct: ["an `.executableTarget` in Package.swift whose code has `@main struct … : WidgetApp` is one"]
        case .severalProducts(let names): ["`--product \(names.first ?? "NAME")` names one of them"]
        case .unknownProduct: ["`--product NAME` names one of them"]
        case .program(.ended): ["a program of a widget imports Widgets, and has `@main struct … : WidgetApp`"]
        case .program: []
        }
    }

    /// True if the caller of the command, and not the package, is at fault.
    package var isMisuse: Bool {
        switch self {
        case .severalProducts, .unknownProduct: true
        default: false
        }
    }
}
