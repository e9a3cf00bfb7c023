// swift-tools-version: 6.2
import PackageDescription

// Your package names the repository here, and a version. `WIDGETD` is for copies of this folder.
let widgetd = Context.environment["WIDGETD"] ?? "../.."

let package = Package(
    name: "Hosts",
    dependencies: [.package(name: "widgetd", path: widgetd)],
    targets: [
        .executableTarget(
            name: "CommandLineHost",
            dependencies: [
                .product(name: "WidgetRegistryClient", package: "widgetd"),
                .product(name: "WidgetRuntime", package: "widgetd"),
            ]),
        .executableTarget(
            name: "KioskHost",
            dependencies: [
                .product(name: "WidgetRegistryClient", package: "widgetd"),
                .product(name: "WidgetRuntime", package: "widgetd"),
            ]),
        .executableTarget(
            name: "PageHost", dependencies: [.product(name: "WidgetPages", package: "widgetd")]),
        .executableTarget(
            name: "BotHost", dependencies: [.product(name: "WidgetRuntime", package: "widgetd")]),
    ]
)
