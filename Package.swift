// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// True if this package is what is built, and not what another package needs: `swift` was started in its folder. The
/// switches below are for those who work on it, and must not act on others whose environment has the same names.
let isOurs = Context.environment["PWD"] == Context.packageDirectory

/// True if another package is built, which needs this one. Its modules and those of its other dependencies have names that
/// modules here may have too (`Logging`, `Configuration`), and a name can be used once in a build. So a dependent sees the
/// libraries for other packages, what they are built on, and nothing else.
let isDependency =
    !isOurs
    && Context.environment["PWD"].map { FileManager.default.fileExists(atPath: "\($0)/Package.swift") } ?? false

/// The value of a switch of ours.
func ours(_ name: String) -> String? { isOurs ? Context.environment[name] : nil }

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

/// A library target and its tests. `imports` is the row of the import table in ARCHITECTURE.md.
func module(_ name: String, imports: [String] = [], testsUse: [String] = [], resources: [Resource] = []) -> [Target] {
    [
        .target(
            name: name, dependencies: imports.map { .byName(name: $0) }, resources: resources, swiftSettings: settings),
        .testTarget(
            name: "\(name)Tests",
            dependencies: ([name, "TestSupport"] + testsUse).map { .byName(name: $0) },
            swiftSettings: settings),
    ]
}

/// The modules of a layer and their tests, which lie in the folder of its name in `Sources` and in `Tests`.
func layer(_ name: String, _ modules: [[Target]]) -> [Target] {
    let targets = modules.flatMap { $0 }
    for target in targets {
        target.path = "\(target.type == .test ? "Tests" : "Sources")/\(name)/\(target.name)"
    }
    return targets
}

/// A program: arguments in, exit code out.
func program(_ name: String, imports: [String], path: String? = nil) -> Target {
    .executableTarget(
        name: name, dependencies: imports.map { .byName(name: $0) }, path: path, swiftSettings: settings)
}

/// A parser under libFuzzer, built by `make fuzz` alone. `Tests/Fuzz/run` makes a program of the library.
func fuzzer(_ name: String, imports: [String]) -> [Target] {
    [
        .target(
            name: name, dependencies: imports.map { .byName(name: $0) }, path: "Tests/Fuzz/\(name)",
            exclude: ["seeds"], swiftSettings: settings)
    ]
}

let libraries = layer(
    "C",
    [
        // Linked statically, as its module map says; pkg-config would add the shared library.
        [system("CCrypto", pkgConfig: nil, apt: "libssl-dev")],
        [.target(name: "CCurl", linkerSettings: [.linkedLibrary("curl")])],
        [system("CDeflate", pkgConfig: "libdeflate", apt: "libdeflate-dev")],
        [.target(name: "CLinux")],
        [system("CPostgres", pkgConfig: "libpq", apt: "libpq-dev")],
        [system("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev")],
        [system("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev")],
    ])

let foundations = layer(
    "Foundations",
    [
        module("SystemCalls"),
        module("Bytes", imports: ["SystemCalls", "CCrypto"]),
        module("Addresses"),
        module("Logging", imports: ["SystemCalls", "Bytes"]),
        module("Console", imports: ["CLinux", "Bytes", "Logging"]),
        module("Configuration", imports: ["Console", "Addresses", "Bytes", "Files", "Logging"], testsUse: ["Console"]),
        module("Deflate", imports: ["CZlib", "CDeflate"], testsUse: ["CZlib"]),
        module("Files", imports: ["CLinux"]),
        module(
            "Processes", imports: ["CLinux", "Bytes", "Files"],
            testsUse: ["Bytes", "Files", "JSONText", "ConfinedProgram"]),
        module("Database", imports: ["CSQLite", "Files"], testsUse: ["Files"]),
        module("Postgres", imports: ["SystemCalls", "CPostgres"], testsUse: ["PostgresPeer", "Bytes"]),
    ])

let formats = layer(
    "Formats",
    [
        module("AssetCatalog", imports: ["Bytes", "Deflate"], testsUse: ["Bytes", "Deflate", "Files"]),
        module("Predicates", imports: ["SystemCalls", "Bytes"]),
        module("Zip", imports: ["Bytes", "Deflate", "Files"], testsUse: ["Bytes", "Files"]),
        module("JSONText", imports: ["Bytes"]),
        module("Markup"),
        module("Plist", imports: ["Bytes", "XMLText"], testsUse: ["JSONText"]),
        module("Nib", imports: ["Bytes", "Plist"], testsUse: ["Plist", "Zip", "Bytes", "Files"]),
        module("ObjectModel", imports: ["Bytes", "Plist"], testsUse: ["Bytes", "Plist", "Files"]),
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
            ],
            testsUse: ["Nib", "Zip", "Plist", "JSONText", "Bytes", "Files"]),
        module(
            "RegistryContract", imports: ["WidgetBundles", "JSONText", "Bytes"],
            testsUse: ["WidgetBundles", "JSONText", "Bytes"]),
        module(
            "WidgetBuild",
            imports: ["AssetCatalog", "Nib", "ObjectModel", "XMLText", "Plist", "JSONText", "Bytes", "Files"],
            testsUse: ["Nib", "ObjectModel", "XMLText", "Plist", "Bytes"]),
        module(
            "WidgetIntake", imports: ["WidgetBuild", "WidgetBundles", "Zip", "Bytes", "Files"],
            testsUse: ["WidgetBuild", "WidgetBundles", "Zip", "Bytes", "Files"]),
    ])

let network = layer(
    "Network",
    [
        module(
            "Sockets", imports: ["CLinux", "Addresses", "Bytes"], testsUse: ["Addresses", "Bytes", "Files", "CLinux"]),
        module(
            "Transfers", imports: ["CCurl", "Addresses", "Bytes", "Deflate", "Files", "SystemCalls"],
            testsUse: ["HostileServer", "Addresses", "Bytes", "Deflate", "Files"]),
        module("HTTPWire", imports: ["Bytes"], testsUse: ["Bytes"]),
        module(
            "HTTPServer", imports: ["HTTPWire", "Sockets", "Files", "JSONText", "Bytes", "Logging", "Addresses"],
            testsUse: ["RegistryServer", "HTTPWire", "Sockets", "Bytes", "Logging", "Addresses", "CLinux"]),
    ])

let engine = layer(
    "Engine",
    [
        module(
            "WidgetCore", imports: ["WidgetContract", "Predicates", "JSONText", "Bytes"],
            testsUse: ["Predicates", "JSONText"]),
        module(
            "WidgetContract", imports: ["Predicates", "JSONText", "Bytes"],
            testsUse: ["Predicates", "JSONText", "Bytes"]),
        module(
            "Widgets", imports: ["WidgetContract", "JSONText", "SystemCalls", "Bytes"],
            testsUse: [
                "Ensemble", "WidgetBuild", "WidgetFormats", "WidgetDocuments", "WidgetRunning", "WidgetRender",
                "WidgetLayout", "Predicates", "WidgetContract", "WidgetCore", "JSONText", "Files", "Bytes",
            ]),
        module(
            "WidgetDocuments", imports: ["WidgetContract", "WidgetCore", "Predicates", "JSONText", "Bytes"],
            testsUse: [
                "HostileWidgets", "WidgetContract", "WidgetCore", "WidgetRender", "WidgetLayout", "Predicates",
                "JSONText",
                "Bytes",
            ]),
        module(
            "WidgetFormats",
            imports: [
                "WidgetDocuments", "WidgetCore", "Nib", "ObjectModel", "Plist", "Predicates", "JSONText", "Bytes",
            ],
            testsUse: [
                "WidgetBuild", "WidgetDocuments", "WidgetCore", "WidgetRender", "Nib", "Predicates", "JSONText", "Zip",
                "Files", "Bytes",
            ]),
        module(
            "WidgetLayout", imports: ["WidgetCore"],
            testsUse: ["WidgetCore", "WidgetFormats", "WidgetBuild", "WidgetRunning", "Predicates", "JSONText"]),
        module(
            "WidgetRender",
            imports: ["WidgetContract", "WidgetCore", "WidgetLayout", "Markup", "Predicates", "JSONText", "Bytes"],
            testsUse: [
                "PageReading", "WidgetCore", "WidgetLayout", "WidgetFormats", "WidgetBuild", "WidgetRunning", "Markup",
                "Predicates",
                "JSONText", "Bytes",
            ]),
        module(
            "WidgetRunning",
            imports: [
                "WidgetIntake", "WidgetFormats", "WidgetDocuments", "WidgetContract", "WidgetCore", "WidgetBundles",
                "AssetCatalog", "Database", "Files", "Zip",
                "Predicates", "JSONText", "Bytes",
            ],
            testsUse: [
                "HostileWidgets", "WidgetIntake", "WidgetFormats", "WidgetDocuments", "WidgetContract", "WidgetCore",
                "WidgetLayout",
                "WidgetRender", "WidgetBundles", "WidgetBuild", "AssetCatalog", "Database", "Files", "Predicates",
                "JSONText", "Bytes",
            ]),
        module(
            "WidgetCells",
            imports: [
                "WidgetLive", "WidgetRunning", "WidgetRender", "WidgetLayout", "WidgetIntake", "WidgetCore",
                "Processes", "Predicates", "JSONText", "Files", "Bytes",
            ],
            testsUse: [
                "CellSpecimen", "Predicates", "WidgetLive", "WidgetRunning", "WidgetRender", "WidgetBuild",
                "WidgetIntake",
                "WidgetBundles", "WidgetCore", "WidgetLayout", "Processes", "JSONText", "Files", "Bytes",
            ]),
        module(
            "WidgetLive",
            imports: ["WidgetRunning", "WidgetRender", "WidgetCore", "Markup", "Predicates", "JSONText", "Bytes"],
            testsUse: [
                "WidgetRunning", "WidgetRender", "WidgetDocuments", "WidgetFormats", "WidgetBuild", "WidgetIntake",
                "WidgetBundles", "WidgetLayout", "WidgetCore", "Predicates", "JSONText", "Bytes",
            ]),
    ])

let host = layer(
    "Host",
    [
        module(
            "GroupCache", imports: ["JSONText", "Bytes", "Files"],
            testsUse: ["JSONText", "Bytes", "Files", "GroupWriter"]),
        module(
            "RegistryClient",
            imports: ["RegistryContract", "Transfers", "WidgetBundles", "Zip", "JSONText", "Bytes", "Files"],
            testsUse: [
                "RegistryContract", "HostileServer", "ConformanceSupport", "Transfers", "WidgetBundles", "Zip",
                "JSONText",
                "Deflate", "Console", "Bytes", "Files", "widgetd", "widget",
            ]),
        module(
            "WidgetEmbedding",
            imports: [
                "Widgets", "WidgetRunning", "WidgetRender", "WidgetLayout", "WidgetDocuments", "WidgetCore",
                "Predicates", "Bytes",
            ],
            testsUse: ["Widgets"]),
        module(
            "WidgetHost",
            imports: [
                "GroupCache", "WidgetRunning", "WidgetContract", "WidgetCore", "RegistryContract", "RegistryClient",
                "Transfers",
                "Addresses",
                "Files",
                "Predicates", "JSONText", "Bytes",
            ],
            testsUse: [
                "GroupCache", "GroupWriter", "WidgetIntake", "WidgetRunning", "WidgetFormats", "WidgetContract",
                "WidgetCore", "WidgetRender", "WidgetBundles", "WidgetBuild", "RegistryClient", "HostileServer",
                "ConformanceSupport",
                "widgetd",
                "Transfers",
                "Addresses", "AssetCatalog",
                "Files", "Predicates", "JSONText", "Bytes",
            ]),
        module(
            "WidgetRegistryClient",
            imports: [
                "RegistryClient", "RegistryContract", "Transfers", "WidgetIntake", "WidgetBundles", "Files", "Bytes",
            ],
            testsUse: [
                "RegistryClient", "RegistryContract", "ConformanceSupport", "ReleaseStarter", "WidgetBundles", "Zip",
                "Files", "Bytes", "widgetd",
            ]),
        module(
            "WidgetRuntime",
            imports: [
                "WidgetRegistryClient", "WidgetHost", "GroupCache", "WidgetRunning", "WidgetIntake", "WidgetBundles",
                "WidgetRender", "WidgetLayout", "WidgetContract", "WidgetCore", "Predicates", "JSONText", "Bytes",
                "Addresses", "Transfers",
            ],
            testsUse: ["WidgetRegistryClient", "Files", "Bytes"]),
        module(
            "WidgetPages",
            imports: [
                "WidgetRuntime", "WidgetLive", "WidgetRender", "WidgetRunning", "WidgetLayout", "WidgetCore",
            ],
            testsUse: ["WidgetRuntime", "Files"]),
        module(
            "WidgetPackages", imports: ["WidgetContract", "JSONText", "Processes", "Bytes", "Files"],
            testsUse: ["WidgetContract", "JSONText", "Bytes", "Files", "WidgetAnswerer"]),
    ])

let server = layer(
    "Server",
    [
        module(
            "Registry", imports: ["RegistryContract", "WidgetBundles", "JSONText", "Bytes", "Files"],
            testsUse: [
                "ClusterStore", "LocalStore", "MemoryStore", "ObjectStore", "ObjectPeer", "PostgresPeer", "Postgres",
                "Transfers", "RegistryContract", "WidgetBundles", "Database", "JSONText", "Bytes", "Files",
            ]),
        module(
            "CatalogSQL", imports: ["RegistryContract", "Registry", "Bytes"],
            testsUse: ["LocalStore", "Registry", "Database", "Bytes"]),
        module(
            "ClusterStore", imports: ["CatalogSQL", "Registry", "Postgres", "Bytes"],
            testsUse: ["CatalogSQL", "PostgresPeer", "Registry", "Postgres", "Bytes"]),
        module(
            "LocalStore",
            imports: ["CatalogSQL", "Registry", "Database", "WidgetBundles", "Bytes", "Files"],
            testsUse: ["Registry", "RegistryContract", "Database", "WidgetBundles", "Bytes", "Files"]),
        module(
            "PageServer",
            imports: [
                "WidgetLive", "WidgetRender", "WidgetLayout", "WidgetContract", "WidgetCore", "HTTPServer", "HTTPWire",
                "Markup",
                "JSONText", "Addresses", "Deflate", "Bytes",
            ],
            testsUse: [
                "WidgetLive", "WidgetRunning", "WidgetRender", "WidgetDocuments", "WidgetContract", "WidgetCore",
                "WidgetLayout",
                "HTTPServer", "HTTPWire", "Sockets", "JSONText", "Addresses", "Logging", "Deflate", "Bytes",
            ],
            resources: [.embedInCode("live.js"), .embedInCode("Groups/host.js")]),
        module(
            "RegistryManual", imports: ["Markup"], testsUse: ["Markup"],
            resources: [
                "authoring", "building", "commands", "configuration", "documents", "host", "hosting", "http", "live",
                "mirrors", "operating", "pages-of-the-registry", "scaling", "screens", "static-copy",
                "tutorial-declarative",
                "tutorial-documents", "tutorial-today", "updates",
            ].map { .embedInCode("Texts/\($0).md") }),
        module(
            "RegistryServer",
            imports: [
                "RegistryContract", "Registry", "RegistryManual", "StaticSite", "WidgetBundles", "HTTPServer",
                "HTTPWire", "Markup",
                "Zip",
                "Deflate", "JSONText", "Bytes", "Files", "Logging", "Addresses",
            ],
            testsUse: [
                "LocalStore", "RegistryContract", "Registry", "WidgetBundles", "HTTPServer", "HTTPWire", "Sockets",
                "Addresses", "Zip", "Deflate", "JSONText", "Bytes", "Files", "Logging",
            ],
            resources: [
                .embedInCode("Gallery/gallery.css"), .embedInCode("Gallery/catalogue.js"),
                .embedInCode("Manage/manage.js"),
            ]),
        module(
            "ObjectStore", imports: ["Registry", "Transfers", "XMLText", "Bytes", "Files"],
            testsUse: ["MemoryStore", "ObjectPeer", "Registry", "Transfers", "Bytes", "Files"]),
        module(
            "StaticSite", imports: ["RegistryContract", "JSONText", "Bytes", "Files"],
            testsUse: [
                "RegistryServer", "Registry", "LocalStore", "RegistryClient", "RegistryContract", "Transfers",
                "WidgetBundles", "JSONText", "Bytes", "Files",
            ]),
    ])

let programs = layer(
    "Programs",
    [
        module(
            "ServerCommands",
            imports: [
                "RegistryServer", "StaticSite", "PageServer", "WidgetCells", "WidgetLive", "Processes", "HTTPServer",
                "HTTPWire", "Sockets", "Configuration", "Console", "Logging", "Addresses", "Bytes", "WidgetIntake",
                "WidgetRunning", "WidgetContract", "WidgetCore", "WidgetRender", "WidgetBundles", "LocalStore",
                "Registry", "Files", "JSONText", "SystemCalls", "RegistryContract",
            ],
            testsUse: [
                "Configuration", "LocalStore", "Registry", "RegistryServer", "WidgetBundles", "Sockets", "Addresses",
                "Console", "Logging", "HTTPServer", "WidgetCells", "WidgetIntake", "Files", "JSONText",
            ]),
        module(
            "RegistryMirror",
            imports: [
                "RegistryClient", "RegistryServer", "Registry", "LocalStore", "HTTPServer", "Transfers",
                "RegistryContract", "WidgetBundles", "JSONText", "Logging", "Files", "Bytes",
            ],
            testsUse: [
                "widgetd-cluster", "widgetd", "ConformanceSupport", "HostileServer", "RegistryClient", "Registry",
                "LocalStore", "Transfers", "RegistryContract", "WidgetBundles", "JSONText", "Logging", "Files", "Bytes",
            ]),
        [
            program("widgetd", imports: ["ServerCommands", "Console"]),
            program(
                "widgetd-cluster",
                imports: [
                    "ServerCommands", "CatalogSQL", "ClusterStore", "Postgres", "LocalStore", "ObjectStore", "Files",
                    "Registry", "Configuration", "Console", "Logging", "Bytes", "RegistryMirror", "RegistryClient",
                    "HTTPServer", "WidgetBundles",
                ]),
            program(
                "widget",
                imports: [
                    "WidgetBuild", "WidgetIntake", "WidgetRunning", "WidgetHost", "WidgetPackages", "WidgetDocuments",
                    "WidgetContract",
                    "WidgetCore",
                    "WidgetLayout", "WidgetRender", "WidgetLive", "PageServer", "HTTPServer", "Sockets",
                    "RegistryClient", "RegistryContract", "Transfers", "WidgetBundles", "Predicates", "Console", "Zip",
                    "GroupCache", "JSONText", "Logging", "Addresses", "Processes", "SystemCalls", "Bytes", "Files",
                    "Deflate",
                ]),
        ],
    ])

let benches: [[Target]] = [
    [
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
                "Database", "Files", "Bytes", "TestSupport",
            ],
            path: "Tests/Benchmarks/RegistryBench"),
        program(
            "WidgetBench",
            imports: [
                "HostileWidgets", "WidgetIntake", "WidgetRunning", "WidgetDocuments", "WidgetCore", "WidgetLayout",
                "WidgetRender", "WidgetLive", "Widgets", "Predicates", "JSONText", "Files", "CLinux", "Bytes",
            ],
            path: "Tests/Benchmarks/WidgetBench"),
        program(
            "PredicateBench", imports: ["Predicates", "JSONText", "Files"], path: "Tests/Benchmarks/PredicateBench"),
    ]
]

let tests: [[Target]] = [
    [
        .testTarget(
            name: "WidgetdTests",
            dependencies: [
                "widgetd", "Configuration", "LocalStore", "Registry", "RegistryServer", "WidgetBundles", "Sockets",
                "Addresses", "Console", "Logging", "HTTPServer", "CLinux", "TestSupport",
            ],
            path: "Tests/Programs/WidgetdTests",
            swiftSettings: settings)
    ],
    [
        .testTarget(
            name: "WidgetTests",
            dependencies: [
                "widget", "widgetd", "ConformanceSupport", "HostileServer", "TestSupport", "Bytes", "JSONText", "Nib",
                "WidgetAnswerer", "WidgetBuild", "WidgetCore", "WidgetRunning", "Deflate",
            ],
            path: "Tests/Programs/WidgetTests",
            swiftSettings: settings)
    ],
    [
        .testTarget(
            name: "Widgetd-clusterTests",
            dependencies: [
                "widgetd-cluster", "widgetd", "ConformanceSupport", "PostgresPeer", "ObjectPeer", "TestSupport",
                "Configuration", "Console", "Postgres", "JSONText", "Bytes",
            ],
            path: "Tests/Programs/Widgetd-clusterTests", swiftSettings: settings)
    ],
    [.testTarget(name: "ArchitectureTests", dependencies: ["TestSupport"], swiftSettings: settings)],
    [
        .testTarget(
            name: "PublicSurfaceTests",
            dependencies: [
                "WidgetRegistryClient", "WidgetRuntime", "WidgetPages", "Widgets", "WidgetEmbedding", "TestSupport",
            ],
            swiftSettings: settings)
    ],
    [
        .target(
            name: "ConformanceSupport", dependencies: ["TestSupport", "JSONText", "Bytes", "CLinux"],
            path: "Tests/Support/ConformanceSupport", swiftSettings: settings),
        .testTarget(
            name: "ConformanceTests",
            dependencies: ["ConformanceSupport", "TestSupport", "JSONText", "Bytes", "widgetd"],
            swiftSettings: settings),
        .testTarget(
            name: "FaultTests", dependencies: ["ConformanceSupport", "TestSupport", "JSONText", "Bytes", "widgetd"],
            swiftSettings: settings),
    ],
    [
        .target(
            name: "TestSupport", dependencies: ["CLinux", "CZlib"], path: "Tests/Support/TestSupport",
            swiftSettings: settings)
    ],
    [
        .target(
            name: "PostgresPeer", dependencies: ["TestSupport", "Postgres", "Bytes"],
            path: "Tests/Support/PostgresPeer",
            swiftSettings: settings)
    ],
    [
        .target(
            name: "MemoryStore", dependencies: ["Registry", "RegistryContract", "Bytes", "Files"],
            path: "Tests/Support/MemoryStore",
            swiftSettings: settings)
    ],
    [
        .executableTarget(
            name: "CellSpecimen", dependencies: ["WidgetCells", "Processes", "Files"],
            path: "Tests/Support/CellSpecimen", swiftSettings: settings)
    ],
    [
        .target(
            name: "ObjectPeer", dependencies: ["ObjectStore", "Transfers", "TestSupport", "Bytes", "Files"],
            path: "Tests/Support/ObjectPeer", swiftSettings: settings)
    ],
    [
        .executableTarget(
            name: "GroupWriter",
            dependencies: [
                "GroupCache", "WidgetRunning", "WidgetContract", "WidgetCore", "Predicates", "JSONText", "Bytes",
            ], path: "Tests/Support/GroupWriter",
            swiftSettings: settings)
    ],
    [
        .executableTarget(
            name: "ReleaseStarter", dependencies: ["WidgetRegistryClient"], path: "Tests/Support/ReleaseStarter",
            swiftSettings: settings)
    ],
    [
        .executableTarget(
            name: "WidgetAnswerer", dependencies: ["Widgets", "WidgetContract", "JSONText", "Bytes"],
            path: "Tests/Support/WidgetAnswerer", swiftSettings: settings)
    ],
    [
        .executableTarget(
            name: "ConfinedProgram", dependencies: ["Processes", "JSONText", "Bytes", "Files"],
            path: "Tests/Support/ConfinedProgram", swiftSettings: settings)
    ],
    [
        .target(
            name: "HostileWidgets",
            dependencies: [
                "TestSupport", "WidgetBuild", "WidgetRunning", "WidgetFormats", "WidgetDocuments", "WidgetCore",
                "WidgetRender", "Predicates", "Files", "Bytes",
            ], path: "Tests/Support/HostileWidgets", swiftSettings: settings)
    ],
    [
        // The screens of a sample package, compiled as its users compile theirs.
        .target(
            name: "Ensemble", dependencies: ["Widgets"], path: "Bundles/Ensemble/Sources/Ensemble",
            swiftSettings: [.swiftLanguageMode(.v6)])
    ],
    [
        .target(name: "PageReading", path: "Tests/Support/PageReading", swiftSettings: settings)
    ],
    [
        .target(
            name: "HostileServer", dependencies: ["TestSupport", "HTTPWire", "CLinux"],
            path: "Tests/Support/HostileServer",
            swiftSettings: settings)
    ],
    [program("HTTPWireBench", imports: ["HTTPWire"], path: "Tests/Benchmarks/HTTPWireBench")],
]

let fuzzers: [[Target]] =
    ours("WIDGETD_FUZZ") == nil
    ? []
    : [
        fuzzer("AssetFuzz", imports: ["AssetCatalog"]),
        fuzzer("DocumentFuzz", imports: ["WidgetDocuments", "WidgetCore", "WidgetRender", "Predicates"]),
        fuzzer("HTTPWireFuzz", imports: ["HTTPWire"]),
        fuzzer("JSONFuzz", imports: ["JSONText"]),
        fuzzer("NibFuzz", imports: ["Nib"]),
        fuzzer("ModelFuzz", imports: ["ObjectModel"]),
        fuzzer(
            "PageFuzz",
            imports: [
                "PageReading", "WidgetBuild", "WidgetRunning", "WidgetFormats", "WidgetLayout", "WidgetRender",
                "WidgetCore", "Nib", "Predicates", "JSONText", "Files",
            ]),
        fuzzer("PlistFuzz", imports: ["Bytes", "Plist"]),
        fuzzer("PredicateFuzz", imports: ["Predicates"]),
        fuzzer("RegistryClientFuzz", imports: ["RegistryClient", "RegistryContract", "WidgetBundles", "JSONText"]),
        fuzzer("TimeZoneFuzz", imports: ["WidgetCore"]),
        fuzzer("TransfersFuzz", imports: ["Transfers"]),
        fuzzer("RegistryFuzz", imports: ["LocalStore", "Registry", "Files"]),
        fuzzer(
            "ScriptFuzz",
            imports: [
                "WidgetRunning", "WidgetFormats", "WidgetCore", "WidgetRender", "WidgetBuild", "Console", "Files",
            ]),
        fuzzer(
            "WidgetFuzz",
            imports: [
                "WidgetRunning", "WidgetFormats", "WidgetCore", "WidgetRender", "WidgetBuild", "Predicates", "Files",
            ]),
        fuzzer("XMLFuzz", imports: ["XMLText"]),
        fuzzer("BuildFuzz", imports: ["WidgetBuild", "Nib"]),
        fuzzer("ZipFuzz", imports: ["Zip", "Files"]),
    ]

let every =
    libraries + foundations + formats + bundles + network + engine + host + server + programs
    + (benches + tests + fuzzers).flatMap { $0 }

/// `ONLY=Zip,Plist swift test` builds those modules, their tests and what either needs, and nothing else.
func selected(_ wanted: [String]?, of every: [Target]) -> [Target] {
    guard let wanted else { return every }
    var names: Set<String> = []
    var next =
        isDependency
        ? wanted : wanted.flatMap { [$0, "\($0)Tests", "\($0.prefix(1).uppercased())\($0.dropFirst())Tests"] }
    while let name = next.popLast() {
        guard names.insert(name).inserted, let target = every.first(where: { $0.name == name }) else { continue }
        for case .byNameItem(let needed, _) in target.dependencies { next.append(needed) }
    }
    return every.filter { names.contains($0.name) }
}

/// The libraries for other packages.
let forOthers = ["Widgets", "WidgetEmbedding", "WidgetRegistryClient", "WidgetRuntime", "WidgetPages"]

let targets = selected(isDependency ? forOthers : ours("ONLY")?.split(separator: ",").map(String.init), of: every)

let programNames = ["widgetd", "widgetd-cluster", "widget"].filter { name in targets.contains { $0.name == name } }
let libraryNames = forOthers.filter { name in targets.contains { $0.name == name } }
let fuzzerNames = fuzzers.flatMap { $0.map(\.name) }.filter { name in targets.contains { $0.name == name } }

let package = Package(
    name: "widgetd",
    products: programNames.map { .executable(name: $0, targets: [$0]) }
        + libraryNames.map { .library(name: $0, targets: [$0]) }
        + fuzzerNames.map { .library(name: $0, type: .static, targets: [$0]) },
    targets: targets
)
