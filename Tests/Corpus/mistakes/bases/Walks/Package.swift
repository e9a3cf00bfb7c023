// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Walks",
    // The folder with the sources of widget.
    dependencies: [.package(name: "widgetd", path: "SOURCES_OF_WIDGET")],
    targets: [
        .executableTarget(
            name: "Walks", dependencies: [.product(name: "Widgets", package: "widgetd")])
    ]
)
