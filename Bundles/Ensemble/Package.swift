// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Ensemble",
    products: [
        .executable(name: "Orchestra", targets: ["Orchestra"]),
        .executable(name: "Forge", targets: ["Forge"]),
    ],
    // Your package names the repository here, and a version.
    dependencies: [.package(name: "widgetd", path: "../..")],
    targets: [
        // The screens are a library, so that tests can have them, too.
        .target(name: "Ensemble", dependencies: [.product(name: "Widgets", package: "widgetd")]),
        .executableTarget(name: "Orchestra", dependencies: ["Ensemble"]),
        .executableTarget(name: "Forge", dependencies: ["Ensemble"]),
    ]
)
