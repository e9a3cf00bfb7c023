// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// The package whose folder, or a folder in it, `swift` was started in: as SwiftPM does, the nearest above.
let startedIn: String? = {
    guard let start = Context.environment["PWD"] else { return nil }
    var folder = URL(filePath: start).resolvingSymlinksInPath()
    while !FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path) {
        guard folder.path != "/" else { return nil }
        folder = folder.deletingLastPathComponent()
    }
    return folder.path
}()

/// True if this package is what is built, and not what another package needs. The switches below are for those who work on
/// it, and must not act on others whose environment has the same names.
let isOurs = startedIn == URL(filePath: Context.packageDirectory).resolvingSymlinksInPath().path

/// True if another package is built, which needs this one. Its modules and those of its other dependencies have names that
/// modules here may have too (`Logging`, `Configuration`), and a name can be used once in a build. So a dependent sees the
/// libraries for other packages, what they are built on, and nothing else.
let isDependency = !isOurs && startedIn != nil

/// The value of a switch of ours; `nil` if it is not set, or empty.
func ours(_ name: String) -> String? {
    guard isOurs, let value = Context.environment[name], !value.isEmpty else { return nil }
    return value
}

/// One set of rules for every Swift target. Warnings are errors in continuous integration,
/// where nobody is in the middle of an edit.
let settings: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .strictMemorySafety(),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ] + (ours("CI") == nil ? [] : [.treatAllWarnings(as: .error)])

/// A C library from the system, found by pkg-config or in the usual place.
func system(_ name: String, pkgConfig: String?, apt: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt])])
}

/// A module or a program, and the folder of its tests in the same layer of `Tests`.
struct Room {
    var target: Target?
    var tests: TestFolder?
}

/// A folder of tests. `uses` are the modules that its files import; `starts` are programs that its tests run, which a whole
/// build makes anyway, and `ONLY=…` adds. A test never depends on a program: a change of one would compile the tests anew.
struct TestFolder {
    var name: String
    var uses: [String]
    var starts: [String]
    var path = ""
}

/// A library target and its tests. `imports` is the row of the import table in ARCHITECTURE.md.
func module(
    _ name: String, imports: [String] = [], testsUse: [String] = [], testsStart: [String] = [],
    resources: [Resource] = []
) -> Room {
    Room(
        target: .target(
            name: name, dependencies: imports.map { .byName(name: $0) }, resources: resources,
            swiftSettings: settings + optimised(name)),
        tests: TestFolder(name: "\(name)Tests", uses: [name, "TestSupport"] + testsUse, starts: testsStart))
}

/// A folder of tests of what several modules do together.
func tests(_ name: String, use: [String], start: [String] = []) -> Room {
    Room(tests: TestFolder(name: name, uses: use, starts: start))
}

/// What lies in a layer's folder of `Sources`, and in the folder of the same name in `Tests`.
func layer(_ name: String, _ rooms: [Room]) -> [Room] {
    rooms.map { room in
        if let target = room.target { target.path = "Sources/\(name)/\(target.name)" }
        guard var tests = room.tests else { return room }
        tests.path = "Tests/\(name)/\(tests.name)"
        return Room(target: room.target, tests: tests)
    }
}

/// Optimisation for modules that tests keep busy, where a machine only builds and tests: `Tests/Benchmarks/building` measures
/// which ones give back more seconds than their compilation takes. A package that another one depends on by its version may
/// have no unsafe flags, and dependents do not see these.
func optimised(_ name: String) -> [SwiftSetting] {
    let names = ours("OPTIMISED").map { $0.split(separator: ",").map(String.init) } ?? worthOptimising
    return ours("CI") != nil && (names.contains(name) || names == ["all"]) ? [.unsafeFlags(["-O"])] : []
}

let worthOptimising = [
    "Bytes", "Deflate", "Drawings", "HTTPWire", "JSONText", "Markup", "Nib", "Plist", "Predicates", "XMLText", "Zip",
]

/// A program: arguments in, exit code out.
func program(_ name: String, imports: [String], path: String? = nil) -> Target {
    .executableTarget(
        name: name, dependencies: imports.map { .byName(name: $0) }, path: path, swiftSettings: settings)
}

/// A parser under libFuzzer, built by `make fuzz` alone. `Tests/Fuzz/run` makes a program of the library.
func fuzzer(_ name: String, imports: [String]) -> Target {
    .target(
        name: name, dependencies: imports.map { .byName(name: $0) }, path: "Tests/Fuzz/\(name)",
        exclude: ["seeds"], swiftSettings: settings)
}

let libraries = layer(
    "C",
    [
        // Linked statically, as its module map says; pkg-config would add the shared library.
        system("CCrypto", pkgConfig: nil, apt: "libssl-dev"),
        .target(name: "CCurl", linkerSettings: [.linkedLibrary("curl")]),
        system("CDeflate", pkgConfig: "libdeflate", apt: "libdeflate-dev"),
        .target(name: "CLinux"),
        .target(name: "CManual", exclude: ["Texts"]),
        system("CPostgres", pkgConfig: "libpq", apt: "libpq-dev"),
        system("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
        system("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
    ].map { Room(target: $0) })

let foundations = layer(
    "Foundations",
    [
        module("SystemCalls"),
        module("Surroundings", imports: ["Bytes"], testsUse: ["Bytes"]),
        module("Bytes", imports: ["SystemCalls", "CCrypto"]),
        module("Addresses"),
        module("Logging", imports: ["SystemCalls", "Bytes"]),
        module("Console", imports: ["CLinux", "Surroundings", "SystemCalls", "Bytes", "Logging"]),
        module("Configuration", imports: ["Console", "Addresses", "Bytes", "Files", "Logging"], testsUse: ["Console"]),
        module("Deflate", imports: ["CZlib", "CDeflate"], testsUse: ["CZlib"]),
        module("Files", imports: ["CLinux"]),
        module(
            "Processes", imports: ["CLinux", "Bytes", "Files"], testsUse: ["Bytes", "Files"], testsStart: ["Confined"]),
        module("Database", imports: ["CSQLite", "Files"], testsUse: ["Files"]),
        module("Postgres", imports: ["SystemCalls", "CPostgres"], testsUse: ["Bytes", "PostgresPeer"]),
    ])

let formats = layer(
    "Formats",
    [
        module("AssetCatalog", imports: ["Bytes", "Deflate"], testsUse: ["Bytes", "Deflate", "Files"]),
        module(
            "Drawings", imports: ["AssetCatalog", "Bytes", "Deflate", "SystemCalls", "XMLText"],
            testsUse: ["AssetCatalog", "Deflate"]),
        module("Predicates", imports: ["SystemCalls", "Bytes"]),
        module("Zip", imports: ["Bytes", "Deflate", "Files"], testsUse: ["Bytes", "Files"]),
        module("JSONText", imports: ["Bytes"], testsUse: ["Bytes"]),
        module("Markup"),
        module("Plist", imports: ["Bytes", "XMLText"], testsUse: ["Bytes", "JSONText"]),
        module("Nib", imports: ["Bytes", "Plist"], testsUse: ["Bytes", "Files", "Zip"]),
        module("ObjectModel", imports: ["Bytes", "Plist"], testsUse: ["Files", "Plist"]),
        module("XMLText", imports: ["Bytes"], testsUse: ["Bytes"]),
    ])

let bundles = layer(
    "Bundles",
    [
        module(
            "WidgetBundles",
            imports: [
                "Predicates", "Nib", "ObjectModel", "AssetCatalog", "Zip", "Plist", "JSONText", "Deflate", "Addresses",
                "Bytes", "Files",
            ], testsUse: ["Bytes", "Files", "JSONText", "Nib", "Plist", "Zip"]),
        module(
            "RegistryContract", imports: ["WidgetBundles", "JSONText", "Bytes"],
            testsUse: ["Bytes", "JSONText", "WidgetBundles"]),
        module(
            "WidgetBuild",
            imports: [
                "AssetCatalog", "Drawings", "Nib", "ObjectModel", "XMLText", "Plist", "JSONText", "Bytes", "Files",
            ],
            testsUse: ["AssetCatalog", "Bytes", "Nib", "ObjectModel", "Plist", "XMLText"]),
        module(
            "WidgetIntake", imports: ["WidgetBuild", "WidgetBundles", "Bytes", "Files"],
            testsUse: ["Bytes", "Files", "WidgetBuild", "WidgetBundles", "Zip"]),
    ])

let network = layer(
    "Network",
    [
        module(
            "Sockets", imports: ["CLinux", "Addresses", "Bytes", "Surroundings"],
            testsUse: ["Addresses", "Bytes", "Files", "Surroundings"]),
        module(
            "Transfers", imports: ["Surroundings", "CCurl", "Addresses", "Bytes", "Deflate", "Files", "SystemCalls"],
            testsUse: ["Surroundings", "Addresses", "Bytes", "Deflate", "Files", "HostileServer"]),
        module("HTTPWire", imports: ["Bytes"], testsUse: ["Bytes"]),
        module(
            "HTTPServer",
            imports: ["HTTPWire", "Sockets", "Files", "JSONText", "Bytes", "Logging", "Addresses", "Surroundings"],
            testsUse: ["Addresses", "Bytes", "CLinux", "HTTPWire", "Logging", "Sockets", "Surroundings"]),
    ])

let engine = layer(
    "Engine",
    [
        module(
            "WidgetCore", imports: ["WidgetContract", "Predicates", "JSONText", "Bytes"],
            testsUse: ["JSONText", "Predicates"], resources: [.embedInCode("Words/words.txt")]),
        module(
            "WidgetContract", imports: ["Predicates", "JSONText", "Bytes"],
            testsUse: ["Bytes", "JSONText", "Predicates"]),
        module(
            "Widgets", imports: ["WidgetContract", "JSONText", "SystemCalls", "Bytes"],
            testsUse: [
                "Ensemble", "Files", "JSONText", "Predicates", "WidgetBuild", "WidgetContract", "WidgetCore",
                "WidgetDocuments", "WidgetFormats", "WidgetLayout", "WidgetRender", "WidgetHosting", "WidgetRunning",
            ]),
        module(
            "WidgetDocuments", imports: ["WidgetContract", "WidgetCore", "Predicates", "JSONText", "Bytes"],
            testsUse: [
                "HostileWidgets", "JSONText", "Predicates", "WidgetContract", "WidgetCore", "WidgetLayout",
                "WidgetRender",
            ]),
        module(
            "WidgetFormats",
            imports: [
                "WidgetDocuments", "WidgetCore", "Nib", "ObjectModel", "Plist", "Predicates", "JSONText", "Bytes",
            ],
            testsUse: ["JSONText", "Nib", "Predicates", "WidgetBuild", "WidgetCore", "WidgetDocuments", "WidgetRender"]),
        module(
            "WidgetLayout", imports: ["WidgetCore"],
            testsUse: ["Predicates", "WidgetCore", "WidgetHosting", "WidgetRunning"]),
        module(
            "WidgetRender",
            imports: ["WidgetContract", "WidgetCore", "WidgetLayout", "Markup", "Predicates", "JSONText", "Bytes"],
            testsUse: [
                "JSONText", "Markup", "PageReading", "Predicates", "WidgetBuild", "WidgetCore", "WidgetFormats",
                "WidgetLayout", "WidgetHosting", "WidgetRunning",
            ]),
        module(
            "WidgetRunning",
            imports: [
                "WidgetFormats", "WidgetDocuments", "WidgetContract", "WidgetCore", "WidgetBundles", "AssetCatalog",
                "Files", "Zip", "Predicates", "JSONText", "Bytes",
            ],
            testsUse: [
                "AssetCatalog", "Bytes", "Database", "Files", "HostileWidgets", "JSONText", "Predicates", "WidgetBuild",
                "WidgetBundles", "WidgetContract", "WidgetCore", "WidgetDocuments", "WidgetFormats", "WidgetHosting",
                "WidgetIntake", "WidgetLayout", "WidgetRender", "Surroundings",
            ]),
        module(
            "WidgetHosting",
            imports: [
                "WidgetEngine", "WidgetRunning", "WidgetIntake", "WidgetContract", "WidgetCore", "WidgetBundles",
                "Database", "Files",
                "Predicates", "JSONText", "Bytes", "Surroundings",
            ], testsUse: ["Bytes", "Files", "JSONText", "Predicates", "WidgetCore", "WidgetEngine", "WidgetRunning"]),
        module(
            "WidgetEngine",
            imports: [
                "WidgetRunning", "WidgetRender", "WidgetLayout", "WidgetContract", "WidgetCore", "WidgetBundles",
                "Files",
                "Predicates", "JSONText", "Bytes", "Addresses",
            ],
            testsUse: ["Deflate", "JSONText"]),
        module(
            "WidgetCells",
            imports: ["WidgetLive", "WidgetHosting", "Processes", "JSONText", "Files", "Bytes", "Surroundings"],
            testsUse: ["Bytes", "CellSupport", "Files", "JSONText", "Processes", "Surroundings", "WidgetHosting"],
            testsStart: ["Cell"]),
        module(
            "WidgetLive",
            imports: [
                "Surroundings", "WidgetEngine", "WidgetHosting", "WidgetRunning", "WidgetRender", "WidgetCore",
                "Markup", "Predicates",
                "JSONText",
                "Bytes",
            ],
            testsUse: [
                "WidgetEngine",
                "Bytes", "Deflate", "JSONText", "Predicates", "WidgetCore", "WidgetDocuments", "WidgetRender",
                "WidgetHosting", "WidgetRunning",
                "Surroundings",
            ], resources: [.embedInCode("page.js"), .embedInCode("live.js")]),
        module(
            "WidgetElement", imports: ["WidgetLive", "Deflate", "Bytes"], testsUse: ["Deflate", "WidgetLive"],
            resources: [
                .embedInCode("Scripts/engine.js"), .embedInCode("Scripts/worker.js"), .embedInCode("Scripts/zone.js"),
                .embedInCode("Scripts/store.js"), .embedInCode("Scripts/delta.js"), .embedInCode("Scripts/registry.js"),
                .embedInCode("Scripts/desk.js"),
                .embedInCode("Scripts/outside.js"), .embedInCode("Scripts/view.js"), .embedInCode("Scripts/element.js"),
                .embedInCode("Scripts/offline.js"),
            ]),
    ])

let host = layer(
    "Host",
    [
        module(
            "GroupCache", imports: ["Surroundings", "JSONText", "Bytes", "Files"],
            testsUse: ["Bytes", "Files", "JSONText", "Surroundings"],
            testsStart: ["Group"]),
        module(
            "RegistryClient",
            imports: [
                "Surroundings", "RegistryContract", "Transfers", "WidgetBundles", "Zip", "JSONText", "Bytes", "Files",
            ],
            testsUse: [
                "Addresses", "Bytes", "ConformanceSupport", "Deflate", "Files", "HostileServer", "JSONText",
                "RegistryContract", "Transfers", "WidgetBundles", "WidgetRegistryClient", "WidgetRuntime", "Zip",
                "Surroundings",
            ], testsStart: ["widgetd", "widget"]),
        module(
            "WidgetEmbedding",
            imports: [
                "Widgets", "WidgetHosting", "WidgetRunning", "WidgetRender", "WidgetLayout", "WidgetDocuments",
                "WidgetCore",
                "Predicates", "Bytes", "Surroundings",
            ], testsUse: ["Widgets"]),
        module(
            "WidgetHost",
            imports: [
                "GroupCache", "WidgetHosting", "WidgetRunning", "WidgetContract", "WidgetCore", "RegistryContract",
                "RegistryClient",
                "Transfers", "Addresses", "Files", "Predicates", "JSONText", "Bytes", "Surroundings",
            ],
            testsUse: [
                "Addresses", "AssetCatalog", "Bytes", "ConformanceSupport", "Files", "GroupCache", "HostileServer",
                "JSONText", "Predicates", "RegistryClient", "Transfers", "WidgetBuild", "WidgetContract", "WidgetCore",
                "WidgetFormats", "WidgetIntake", "WidgetRender", "WidgetHosting", "WidgetRunning", "Surroundings",
            ], testsStart: ["Group", "widgetd"]),
        module(
            "WidgetRegistryClient",
            imports: [
                "RegistryClient", "RegistryContract", "Transfers", "WidgetIntake", "WidgetBundles", "Files", "Bytes",
                "Surroundings",
            ], testsUse: ["Bytes", "ConformanceSupport", "Files", "ReleaseSupport", "Surroundings"],
            testsStart: ["Release", "widgetd"]),
        module(
            "WidgetRuntime",
            imports: [
                "WidgetRegistryClient", "RegistryClient", "WidgetHost", "GroupCache", "WidgetHosting", "WidgetRunning",
                "WidgetIntake",
                "WidgetBundles", "WidgetRender", "WidgetLayout", "WidgetContract", "WidgetCore", "Predicates",
                "JSONText", "Bytes",
                "Addresses", "Transfers", "Surroundings",
            ],
            testsUse: [
                "Files", "HostileServer", "Bytes", "Surroundings", "WidgetRegistryClient", "WidgetHosting",
                "WidgetRunning",
            ]),
        module(
            "WidgetPages",
            imports: [
                "WidgetRuntime", "WidgetElement", "WidgetLive", "WidgetRender", "WidgetHosting", "WidgetRunning",
                "WidgetLayout", "WidgetCore", "HTTPWire", "Markup", "Surroundings", "Bytes",
            ],
            testsUse: ["Files", "Surroundings", "WidgetLayout", "WidgetLive", "WidgetRuntime"]),
        module(
            "WidgetPackages", imports: ["Surroundings", "WidgetContract", "JSONText", "Processes", "Bytes", "Files"],
            testsUse: ["Surroundings", "JSONText", "WidgetContract"], testsStart: ["Answering"]),
    ])

let server = layer(
    "Server",
    [
        module(
            "Registry", imports: ["Surroundings", "RegistryContract", "WidgetBundles", "JSONText", "Bytes", "Files"],
            testsUse: [
                "Bytes", "ClusterStore", "Database", "Files", "LocalStore", "MemoryStore", "ObjectPeer", "ObjectStore",
                "Postgres", "PostgresPeer", "RegistryContract", "Transfers", "WidgetBundles", "Surroundings",
            ]),
        module(
            "CatalogSQL", imports: ["RegistryContract", "Registry", "Bytes"],
            testsUse: ["Bytes", "Database", "Files", "LocalStore", "Registry"]),
        module(
            "ClusterStore", imports: ["Surroundings", "CatalogSQL", "Registry", "Postgres", "Bytes", "Files"],
            testsUse: ["Surroundings", "Bytes", "CatalogSQL", "MemoryStore", "Postgres", "PostgresPeer", "Registry"]),
        module(
            "LocalStore",
            imports: ["Surroundings", "CatalogSQL", "Registry", "Database", "WidgetBundles", "Bytes", "Files"],
            testsUse: ["Surroundings", "Bytes", "Database", "Files", "Registry", "RegistryContract", "WidgetBundles"]),
        module(
            "PageServer",
            imports: [
                "WidgetElement", "WidgetLive", "WidgetRender", "WidgetLayout", "WidgetContract", "WidgetCore",
                "HTTPServer", "HTTPWire",
                "Markup", "JSONText", "Addresses", "Deflate", "Bytes",
            ],
            testsUse: [
                "Addresses", "Bytes", "Deflate", "HTTPServer", "HTTPWire", "Logging", "Sockets", "WidgetContract",
                "WidgetCore", "WidgetDocuments", "WidgetElement", "WidgetLive", "WidgetRender", "WidgetHosting",
                "WidgetRunning",
            ]),
        module("RegistryManual", imports: ["CManual", "Markup"], testsUse: ["Markup"]),
        module(
            "RegistryServer",
            imports: [
                "Surroundings",
                "RegistryContract", "Registry", "RegistryManual", "StaticSite", "WidgetBundles", "HTTPServer",
                "HTTPWire", "Markup", "Zip", "Deflate", "JSONText", "Bytes", "Files", "Logging", "Addresses",
            ],
            testsUse: [
                "Surroundings",
                "Addresses", "Bytes", "Deflate", "Files", "HTTPServer", "HTTPWire", "JSONText", "LocalStore", "Logging",
                "MemoryStore", "Registry", "RegistryContract", "Sockets", "WidgetBundles",
            ],
            resources: [
                .embedInCode("Gallery/gallery.css"), .embedInCode("Gallery/catalogue.js"),
                .embedInCode("Gallery/running.js"),
                .embedInCode("Embed/embed.css"), .embedInCode("Embed/embed.js"),
                .embedInCode("Manage/manage.js"),
            ]),
        module(
            "ObjectStore", imports: ["Surroundings", "Registry", "Transfers", "XMLText", "Bytes", "Files"],
            testsUse: ["Surroundings", "Bytes", "Files", "MemoryStore", "ObjectPeer", "Registry", "Transfers"]),
        module(
            "StaticSite", imports: ["RegistryContract", "JSONText", "Bytes", "Files"],
            testsUse: [
                "Surroundings",
                "Bytes", "Files", "LocalStore", "Registry", "RegistryClient", "RegistryContract", "RegistryServer",
                "Transfers",
                "WidgetBundles",
            ]),
    ])

let programs = layer(
    "Programs",
    [
        module(
            "ServerCommands",
            imports: [
                "RegistryServer", "StaticSite", "PageServer", "WidgetCells", "WidgetElement", "WidgetLive", "Processes",
                "HTTPServer",
                "HTTPWire", "Sockets", "Configuration", "Console", "Surroundings", "Logging", "Addresses", "Bytes",
                "WidgetIntake",
                "WidgetHosting", "WidgetRunning", "WidgetContract", "WidgetCore", "WidgetLayout", "WidgetRender",
                "WidgetBundles", "LocalStore",
                "Registry", "Files", "JSONText", "SystemCalls", "RegistryContract",
            ],
            testsUse: [
                "Addresses", "Bytes", "Configuration", "Console", "Files", "HTTPServer", "LocalStore", "Logging",
                "Processes", "Registry", "RegistryContract", "RegistryServer", "Sockets", "Surroundings",
                "WidgetBundles", "WidgetCells", "WidgetIntake", "WidgetRunning",
            ]),
        module(
            "RegistryMirror",
            imports: [
                "RegistryClient", "RegistryServer", "Registry", "LocalStore", "HTTPServer", "Transfers",
                "RegistryContract", "WidgetBundles", "JSONText", "Logging", "Files", "Bytes", "Surroundings",
            ],
            testsUse: [
                "ConformanceSupport", "Files", "HostileServer", "JSONText", "Logging", "MemoryStore", "Registry",
                "RegistryClient", "Surroundings", "WidgetBundles",
            ], testsStart: ["widgetd", "widgetd-cluster"]),
        module(
            "ClusterCommands",
            imports: [
                "ServerCommands", "CatalogSQL", "ClusterStore", "Postgres", "LocalStore", "ObjectStore", "Files",
                "JSONText",
                "Registry", "Configuration", "Console", "Surroundings", "Logging", "Bytes", "RegistryMirror",
                "RegistryClient", "Transfers",
                "HTTPServer", "WidgetBundles",
            ], testsUse: ["CellSupport", "CommandSupport", "Configuration", "JSONText", "Postgres", "ServerCommands"]),
        module(
            "WidgetCommands",
            imports: [
                "WidgetBuild", "WidgetIntake", "WidgetEngine", "WidgetHosting", "WidgetRunning", "WidgetHost",
                "WidgetPackages",
                "WidgetDocuments",
                "WidgetContract", "WidgetCore", "WidgetLayout", "WidgetRender", "WidgetLive", "WidgetElement",
                "PageServer",
                "HTTPServer", "Sockets", "RegistryClient", "RegistryContract", "Transfers", "WidgetBundles",
                "Predicates", "Console", "Configuration", "Surroundings", "Zip", "GroupCache", "JSONText", "Logging",
                "Addresses", "Processes",
                "SystemCalls", "Bytes", "Files", "Deflate",
            ],
            testsUse: [
                "Bytes", "Console", "Deflate", "Files", "Surroundings", "WidgetCore", "WidgetHost", "WidgetLive",
                "WidgetRender", "WidgetHosting", "WidgetRunning",
            ]),
        Room(
            target: program("widgetd", imports: ["ServerCommands"]),
            tests: TestFolder(
                name: "WidgetdTests",
                uses: [
                    "Addresses", "CLinux", "CellSupport", "CommandSupport", "ConformanceSupport", "ServerCommands",
                    "Sockets",
                    "Surroundings", "TestSupport",
                ],
                starts: ["widgetd"])),
        Room(
            target: program("widgetd-cluster", imports: ["ClusterCommands"]),
            tests: TestFolder(
                name: "Widgetd-clusterTests",
                uses: [
                    "CellSupport", "ClusterCommands", "CommandSupport", "ConformanceSupport", "JSONText", "ObjectPeer",
                    "Postgres", "PostgresPeer", "TestSupport",
                ],
                starts: ["widgetd", "widgetd-cluster"])),
        Room(
            target: program("widget", imports: ["WidgetCommands"]),
            tests: TestFolder(
                name: "WidgetTests",
                uses: [
                    "Bytes", "CommandSupport", "ConformanceSupport", "Console", "HostileServer", "JSONText", "Nib",
                    "PackageSupport", "Surroundings", "TestSupport",
                    "WidgetBuild", "WidgetCommands", "WidgetHosting", "WidgetRunning",
                ], starts: ["widget", "widgetd", "Answering"])),
    ])

/// The libraries for other packages.
let forOthers = ["Widgets", "WidgetEmbedding", "WidgetRegistryClient", "WidgetRuntime", "WidgetPages"]

/// What concerns the whole house, and the two suites that ask the programs as clients, hosts and accidents do.
let together = layer(
    "House",
    [
        tests("ArchitectureTests", use: ["Bytes", "TestSupport"]),
        tests(
            "ConformanceTests", use: ["Bytes", "ConformanceSupport", "JSONText", "Surroundings", "TestSupport"],
            start: ["widget", "widgetd"]),
        tests(
            "FaultTests", use: ["Bytes", "ConformanceSupport", "JSONText", "Surroundings", "TestSupport"],
            start: ["widgetd", "widget"]),
        tests(
            "SteppedTests",
            use: [
                "Bytes", "ConformanceSupport", "Files", "HTTPServer", "Logging", "MemoryStore", "Registry",
                "RegistryClient",
                "RegistryContract", "RegistryServer", "Sockets", "Surroundings", "TestSupport", "Transfers",
            ]),
        tests("PublicSurfaceTests", use: ["TestSupport"], start: forOthers),
    ])

/// Programs that measure, built by `make bench` alone.
let benches: [Target] =
    ours("BENCHES") == nil
    ? []
    : [
        program(
            "BenchServer",
            imports: ["RegistryServer", "HTTPServer", "HTTPWire", "Sockets", "Logging", "Bytes"],
            path: "Tests/Benchmarks/BenchServer"),
        program("BundleBench", imports: ["WidgetBundles", "Files", "Bytes"], path: "Tests/Benchmarks/BundleBench"),
        program("NibBench", imports: ["Nib", "Zip", "Files"], path: "Tests/Benchmarks/NibBench"),
        program(
            "ResourceBench", imports: ["AssetCatalog", "ObjectModel", "Nib", "Plist", "Zip", "Files", "TestSupport"],
            path: "Tests/Benchmarks/ResourceBench"),
        program(
            "RegistryBench",
            imports: [
                "LocalStore", "CatalogSQL", "ClusterStore", "Postgres", "Registry", "RegistryContract", "WidgetBundles",
                "Database", "Files", "Bytes", "Surroundings", "TestSupport",
            ],
            path: "Tests/Benchmarks/RegistryBench"),
        program(
            "WidgetBench",
            imports: [
                "HostileWidgets", "WidgetIntake", "WidgetHosting", "WidgetRunning", "WidgetDocuments", "WidgetCore",
                "WidgetLayout",
                "WidgetRender", "WidgetLive", "Widgets", "Predicates", "JSONText", "Files", "CLinux", "Bytes",
            ],
            path: "Tests/Benchmarks/WidgetBench"),
        program(
            "PredicateBench", imports: ["Predicates", "JSONText", "Files"], path: "Tests/Benchmarks/PredicateBench"),
        program("HTTPWireBench", imports: ["HTTPWire"], path: "Tests/Benchmarks/HTTPWireBench"),
    ]

/// A library that several folders of tests use.
func support(_ name: String, imports: [String]) -> Target {
    .target(
        name: name, dependencies: imports.map { .byName(name: $0) }, path: "Tests/Support/\(name)",
        swiftSettings: settings)
}

let supports: [Target] = [
    support("CellSupport", imports: ["TestSupport", "WidgetCells", "Processes", "Surroundings", "Files"]),
    support("CommandSupport", imports: ["TestSupport", "Console", "Surroundings"]),
    support(
        "ConformanceSupport",
        imports: [
            "TestSupport", "CellSupport", "CommandSupport", "ClusterCommands", "ServerCommands", "Console", "Processes",
            "Sockets",
            "Surroundings",
            "JSONText", "WidgetCells",
            "Bytes", "CLinux",
        ]),
    support("HostileServer", imports: ["TestSupport", "HTTPWire", "CLinux"]),
    support(
        "HostileWidgets",
        imports: [
            "TestSupport", "WidgetBuild", "WidgetHosting", "WidgetRunning", "WidgetFormats", "WidgetDocuments",
            "WidgetCore",
            "WidgetRender", "Predicates", "Files", "Bytes",
        ]),
    support("MemoryStore", imports: ["Registry", "RegistryContract", "Surroundings", "Bytes", "Files"]),
    support("ObjectPeer", imports: ["ObjectStore", "Transfers", "TestSupport", "Bytes", "Files"]),
    support(
        "PackageSupport",
        imports: ["TestSupport", "Surroundings", "Widgets", "WidgetContract", "JSONText", "Bytes"]),
    support("PageReading", imports: []),
    support("PostgresPeer", imports: ["TestSupport", "Postgres", "Bytes"]),
    support("ReleaseSupport", imports: ["WidgetRegistryClient"]),
    support("TestSupport", imports: ["CLinux", "CZlib"]),
    // The screens of a sample package, compiled as its users compile theirs.
    .target(
        name: "Ensemble", dependencies: ["Widgets"], path: "Bundles/Ensemble/Sources/Ensemble",
        swiftSettings: [.swiftLanguageMode(.v6)]),
    // The example of a page of one's own, which the cases in the browser visit.
    .executableTarget(
        name: "PageHost", dependencies: ["WidgetPages"], path: "Examples/Hosts/Sources/PageHost",
        swiftSettings: [.swiftLanguageMode(.v6)]),
]

/// What tests start in the place of other programs: folders of `Tests/Support/Specimen`, which are one program, and what
/// each imports.
let specimens: KeyValuePairs<String, [String]> = [
    "Answering": ["PackageSupport", "Widgets"],
    "Cell": ["CellSupport", "WidgetCells", "Processes"],
    "Confined": ["Processes", "JSONText", "Bytes", "Files"],
    "Engine": ["HostileWidgets", "WidgetEngine"],
    "Group": [
        "GroupCache", "WidgetHosting", "WidgetRunning", "WidgetContract", "WidgetCore", "Predicates", "JSONText",
        "Bytes",
    ],
    "Release": ["ReleaseSupport", "WidgetRegistryClient"],
]

/// The program of the specimens named.
func specimen(_ names: [String]) -> Target {
    let parts = specimens.filter { names.contains($0.key) }
    return .executableTarget(
        name: "Specimen", dependencies: Set(parts.flatMap(\.value)).sorted().map { .byName(name: $0) },
        path: "Tests/Support/Specimen", sources: ["main.swift"] + parts.map(\.key),
        swiftSettings: settings + parts.map { .define("SPECIMEN_\($0.key.uppercased())") })
}

let fuzzers: [Target] =
    ours("WIDGETD_FUZZ") == nil
    ? []
    : [
        fuzzer("AssetFuzz", imports: ["AssetCatalog"]),
        fuzzer("DrawingFuzz", imports: ["AssetCatalog", "Drawings"]),
        fuzzer("DocumentFuzz", imports: ["WidgetDocuments", "WidgetCore", "WidgetRender", "Predicates"]),
        fuzzer("HTTPWireFuzz", imports: ["HTTPWire"]),
        fuzzer("JSONFuzz", imports: ["JSONText"]),
        fuzzer("NibFuzz", imports: ["Nib"]),
        fuzzer("ModelFuzz", imports: ["ObjectModel"]),
        fuzzer(
            "PageFuzz",
            imports: [
                "PageReading", "WidgetBuild", "WidgetHosting", "WidgetRunning", "WidgetFormats", "WidgetLayout",
                "WidgetRender",
                "WidgetCore", "Nib", "Predicates", "JSONText", "Files",
            ]),
        fuzzer("PlistFuzz", imports: ["Bytes", "Plist"]),
        fuzzer("PredicateFuzz", imports: ["Predicates"]),
        fuzzer("RegistryClientFuzz", imports: ["RegistryClient", "RegistryContract", "WidgetBundles", "JSONText"]),
        fuzzer("TimeZoneFuzz", imports: ["WidgetCore"]),
        fuzzer("TransfersFuzz", imports: ["Transfers"]),
        fuzzer("RegistryFuzz", imports: ["LocalStore", "Registry", "Surroundings", "Files"]),
        fuzzer(
            "ScriptFuzz",
            imports: [
                "WidgetHosting", "WidgetRunning", "WidgetFormats", "WidgetCore", "WidgetRender", "WidgetBuild",
                "Console", "Files",
            ]),
        fuzzer(
            "WidgetFuzz",
            imports: [
                "WidgetHosting", "WidgetRunning", "WidgetFormats", "WidgetCore", "WidgetRender", "WidgetBuild",
                "Predicates", "Files",
            ]),
        fuzzer("XMLFuzz", imports: ["XMLText"]),
        fuzzer("BuildFuzz", imports: ["WidgetBuild", "Nib"]),
        fuzzer("ZipFuzz", imports: ["Zip", "Files"]),
    ]

/// The layers by name, from below.
let layers: KeyValuePairs<String, [Room]> = [
    "C": libraries, "Foundations": foundations, "Formats": formats, "Bundles": bundles, "Network": network,
    "Engine": engine,
    "Host": host, "Server": server, "Programs": programs, "House": together,
]

/// The test targets of a whole build: as few as go together, because each one costs a module, an import of the testing
/// library and its macros. Folders that are not named are in the target of their layer. Those of one target are in one layer,
/// and import about the same.
let gathered: KeyValuePairs<String, [String]> = [
    "ConformanceTests": ["ConformanceTests"],
    "CoreTests": ["WidgetContractTests", "WidgetCoreTests"],
    "LivingTests": ["WidgetCellsTests", "WidgetLiveTests", "WidgetsTests"],
    "StorageTests": ["CatalogSQLTests", "ClusterStoreTests", "LocalStoreTests", "ObjectStoreTests", "RegistryTests"],
    "ClientTests": ["RegistryClientTests"],
    "CommandTests": ["WidgetCommandsTests", "WidgetTests"],
]

func testTarget(_ name: String, of folders: [TestFolder], in path: String, sources: [String]? = nil) -> Target {
    .testTarget(
        name: name, dependencies: Set(folders.flatMap(\.uses)).sorted().map { .byName(name: $0) }, path: path,
        sources: sources, swiftSettings: settings)
}

/// Everything, with the tests in few targets.
@MainActor func whole() -> [Target] {
    var folders: [(target: String, layer: String, folder: TestFolder)] = []
    for (layer, rooms) in layers {
        for folder in rooms.compactMap(\.tests) {
            let target = gathered.first { $0.value.contains(folder.name) }?.key ?? "\(layer)Tests"
            folders.append((target, layer, folder))
        }
    }
    let tests = Dictionary(grouping: folders, by: \.target).sorted { $0.key < $1.key }.map { target, members in
        members.count == 1
            ? testTarget(target, of: members.map(\.folder), in: members[0].folder.path)
            : testTarget(
                target, of: members.map(\.folder), in: "Tests/\(members[0].layer)", sources: members.map(\.folder.name))
    }
    return layers.flatMap { $0.value.compactMap(\.target) } + supports + [specimen(specimens.map(\.key))] + tests
        + benches
        + fuzzers
}

/// `ONLY=Zip,Plist swift test` builds those modules, their folders of tests, each a target, and what either needs, and
/// nothing else. The name of a layer stands for all its modules, and `Bytes+` for a module and all that import it.
@MainActor func only(_ wanted: [String]) -> [Target] {
    let rooms = layers.flatMap(\.value)
    let names = Set(
        wanted.flatMap { name in
            name.hasSuffix("+")
                ? importers(of: String(name.dropLast()))
                : layers.first { $0.key == name }?.value.flatMap(\.names) ?? [name]
        })
    let others = supports + benches + fuzzers
    let known = Set(layers.map(\.key) + rooms.flatMap(\.names) + others.map(\.name))
    if let unknown = wanted.first(where: { !known.contains($0.hasSuffix("+") ? String($0.dropLast()) : $0) }) {
        FileHandle.standardError.write(Data("ONLY names no module, layer or folder of tests: \(unknown)\n".utf8))
        exit(1)
    }
    let folders = rooms.filter { !names.isDisjoint(with: $0.names) }.compactMap(\.tests)
    let starts = folders.flatMap(\.starts)
    let tests = folders.map { testTarget($0.name, of: [$0], in: $0.path) }
    let started = starts.contains { start in specimens.contains { $0.key == start } } ? [specimen(starts)] : []
    let all = rooms.compactMap(\.target) + others + started
    return tests + started + needed(by: Array(names) + starts + (tests + started).flatMap(\.needs), of: all)
}

/// A module and those that import it, directly or not.
@MainActor func importers(of name: String) -> [String] {
    var found: Set = [name]
    let modules = layers.flatMap { $0.value.compactMap(\.target) }
    for _ in modules {
        let more = modules.filter { !found.contains($0.name) && !found.isDisjoint(with: $0.needs) }.map(\.name)
        if more.isEmpty { break }
        found.formUnion(more)
    }
    return Array(found)
}

/// The targets with these names, and those that they need.
func needed(by names: [String], of all: [Target]) -> [Target] {
    var found: Set<String> = []
    var next = names
    while let name = next.popLast() {
        guard found.insert(name).inserted, let target = all.first(where: { $0.name == name }) else { continue }
        next += target.needs
    }
    return all.filter { found.contains($0.name) && $0.name != "Specimen" }
}

extension Room {
    /// The names by which `ONLY=…` chooses it.
    var names: [String] {
        let folder = tests.map { [$0.name, String($0.name.dropLast("Tests".count))] } ?? []
        return (target.map { [$0.name] } ?? []) + folder
    }
}

extension Target {
    var needs: [String] {
        dependencies.compactMap { if case .byNameItem(let name, _) = $0 { name } else { nil } }
    }
}

let targets =
    isDependency
    ? needed(by: forOthers, of: layers.flatMap { $0.value.compactMap(\.target) })
    : ours("ONLY").map { only($0.split(separator: ",").map(String.init)) } ?? whole()

let programNames = ["widgetd", "widgetd-cluster", "widget"].filter { name in targets.contains { $0.name == name } }
let libraryNames = forOthers.filter { name in targets.contains { $0.name == name } }
let fuzzerNames = fuzzers.map(\.name).filter { name in targets.contains { $0.name == name } }

let package = Package(
    name: "widgetd",
    products: programNames.map { .executable(name: $0, targets: [$0]) }
        + libraryNames.map { .library(name: $0, targets: [$0]) }
        + fuzzerNames.map { .library(name: $0, type: .static, targets: [$0]) },
    targets: targets
)
