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

/// True if another package is built, which needs this one. A dependent sees the libraries for other packages, what they are
/// built on, and nothing else, so that it needs no C library of the server's. Names do not depend on it: a name can be used
/// once in a build, and an editor that starts SwiftPM elsewhere sees all of them.
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

/// A library target and its tests. `imports` is the row of the import table in docs/modules.md.
func module(
    _ name: String, imports: [String] = [], testsUse: [String] = [], testsStart: [String] = [],
    resources: [Resource] = []
) -> Room {
    Room(
        target: .target(
            name: name, dependencies: imports.map { .byName(name: $0) }, resources: resources,
            swiftSettings: settings + optimised(name)),
        tests: TestFolder(name: "\(name)Tests", uses: [name, "WidgetTestSupport"] + testsUse, starts: testsStart))
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
    "WidgetBytes", "WidgetDeflate", "WidgetDrawings", "HTTPWire", "JSONText", "WidgetMarkup", "WidgetNib",
    "WidgetPlist", "WidgetPredicates", "XMLText", "WidgetZip",
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
        system("CWidgetCrypto", pkgConfig: nil, apt: "libssl-dev"),
        .target(name: "CWidgetCurl", linkerSettings: [.linkedLibrary("curl")]),
        system("CWidgetDeflate", pkgConfig: "libdeflate", apt: "libdeflate-dev"),
        .target(name: "CWidgetLinux"),
        .target(name: "CWidgetManual", exclude: ["Texts"]),
        system("CWidgetPostgres", pkgConfig: "libpq", apt: "libpq-dev"),
        system("CWidgetSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
        system("CWidgetZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
    ].map { Room(target: $0) })

let foundations = layer(
    "Foundations",
    [
        module("WidgetSystemCalls"),
        module("WidgetSurroundings", imports: ["WidgetBytes"], testsUse: ["WidgetBytes"]),
        module("WidgetBytes", imports: ["WidgetSystemCalls", "CWidgetCrypto"]),
        module("WidgetAddresses"),
        module("WidgetLogging", imports: ["WidgetSystemCalls", "WidgetBytes"]),
        module(
            "WidgetConsole",
            imports: ["CWidgetLinux", "WidgetSurroundings", "WidgetSystemCalls", "WidgetBytes", "WidgetLogging"]),
        module(
            "WidgetConfiguration",
            imports: ["WidgetConsole", "WidgetAddresses", "WidgetBytes", "WidgetFiles", "WidgetLogging"],
            testsUse: ["WidgetConsole"]),
        module("WidgetDeflate", imports: ["CWidgetZlib", "CWidgetDeflate"], testsUse: ["CWidgetZlib"]),
        module("WidgetFiles", imports: ["CWidgetLinux"]),
        module(
            "WidgetProcesses", imports: ["CWidgetLinux", "WidgetBytes", "WidgetFiles"],
            testsUse: ["WidgetBytes", "WidgetFiles"], testsStart: ["Confined"]),
        module("WidgetDatabase", imports: ["CWidgetSQLite", "WidgetFiles"], testsUse: ["WidgetFiles"]),
        module(
            "WidgetPostgres", imports: ["WidgetSystemCalls", "CWidgetPostgres"],
            testsUse: ["WidgetBytes", "PostgresPeer"]),
    ])

let formats = layer(
    "Formats",
    [
        module(
            "WidgetAssetCatalog", imports: ["WidgetBytes", "WidgetDeflate"],
            testsUse: ["WidgetBytes", "WidgetDeflate", "WidgetFiles"]),
        module(
            "WidgetDrawings",
            imports: ["WidgetAssetCatalog", "WidgetBytes", "WidgetDeflate", "WidgetSystemCalls", "XMLText"],
            testsUse: ["WidgetAssetCatalog", "WidgetDeflate"]),
        module("WidgetPredicates", imports: ["WidgetSystemCalls", "WidgetBytes"]),
        module(
            "WidgetZip", imports: ["WidgetBytes", "WidgetDeflate", "WidgetFiles"],
            testsUse: ["WidgetBytes", "WidgetFiles"]),
        module("JSONText", imports: ["WidgetBytes"], testsUse: ["WidgetBytes"]),
        module("WidgetFindings", imports: ["JSONText"], testsUse: ["JSONText"]),
        module("WidgetMarkup"),
        module("WidgetPlist", imports: ["WidgetBytes", "XMLText"], testsUse: ["WidgetBytes", "JSONText"]),
        module(
            "WidgetNib", imports: ["WidgetBytes", "WidgetPlist"], testsUse: ["WidgetBytes", "WidgetFiles", "WidgetZip"]),
        module(
            "WidgetObjectModel", imports: ["WidgetBytes", "WidgetPlist"], testsUse: ["WidgetFiles", "WidgetPlist"]),
        module("XMLText", imports: ["WidgetBytes"], testsUse: ["WidgetBytes"]),
    ])

let bundles = layer(
    "Bundles",
    [
        module(
            "WidgetBundles",
            imports: [
                "WidgetPredicates", "WidgetZip", "WidgetPlist", "JSONText", "WidgetDeflate", "WidgetAddresses",
                "WidgetFindings",
                "WidgetBytes", "WidgetFiles",
            ],
            testsUse: [
                "WidgetBytes", "WidgetFiles", "WidgetFindings", "JSONText", "WidgetNib", "WidgetPlist", "WidgetZip",
            ]),
        module(
            "RegistryContract", imports: ["WidgetBundles", "JSONText", "WidgetBytes"],
            testsUse: ["WidgetBytes", "JSONText", "WidgetBundles"]),
        module(
            "WidgetBuild",
            imports: [
                "WidgetAssetCatalog", "WidgetDrawings", "WidgetNib", "WidgetObjectModel", "XMLText", "WidgetPlist",
                "JSONText", "WidgetBytes", "WidgetFiles",
            ],
            testsUse: ["WidgetAssetCatalog", "WidgetBytes", "WidgetNib", "WidgetObjectModel", "WidgetPlist", "XMLText"]),
        module(
            "WidgetIntake", imports: ["WidgetBuild", "WidgetBundles", "WidgetFindings", "WidgetBytes", "WidgetFiles"],
            testsUse: ["WidgetBytes", "WidgetFiles", "WidgetFindings", "WidgetBuild", "WidgetBundles", "WidgetZip"]),
    ])

let network = layer(
    "Network",
    [
        module(
            "WidgetSockets", imports: ["CWidgetLinux", "WidgetAddresses", "WidgetBytes", "WidgetSurroundings"],
            testsUse: ["WidgetAddresses", "WidgetBytes", "WidgetFiles", "WidgetSurroundings"]),
        module(
            "WidgetTransfers",
            imports: [
                "WidgetSurroundings", "CWidgetCurl", "WidgetAddresses", "WidgetBytes", "WidgetDeflate", "WidgetFiles",
                "WidgetSystemCalls",
            ],
            testsUse: [
                "WidgetSurroundings", "WidgetAddresses", "WidgetBytes", "WidgetDeflate", "WidgetFiles", "HostileServer",
            ]),
        module("HTTPWire", imports: ["WidgetBytes"], testsUse: ["WidgetBytes"]),
        module(
            "WidgetHTTPServer",
            imports: [
                "HTTPWire", "WidgetSockets", "WidgetFiles", "JSONText", "WidgetBytes", "WidgetLogging",
                "WidgetAddresses", "WidgetSurroundings",
            ],
            testsUse: [
                "WidgetAddresses", "WidgetBytes", "CWidgetLinux", "HTTPWire", "WidgetLogging", "WidgetSockets",
                "WidgetSurroundings",
            ]),
    ])

let engine = layer(
    "Engine",
    [
        module(
            "WidgetCore",
            imports: ["WidgetContract", "WidgetPredicates", "WidgetFindings", "JSONText", "WidgetBytes"],
            testsUse: ["JSONText", "WidgetPredicates"], resources: [.embedInCode("Words/words.txt")]),
        module(
            "WidgetContract", imports: ["WidgetPredicates", "JSONText", "WidgetBytes"],
            testsUse: ["WidgetBytes", "JSONText", "WidgetPredicates"]),
        module(
            "Widgets", imports: ["WidgetContract", "JSONText", "WidgetSystemCalls", "WidgetBytes"],
            testsUse: [
                "Ensemble", "WidgetFiles", "JSONText", "WidgetPredicates", "WidgetBuild", "WidgetContract",
                "WidgetCore",
                "WidgetDocuments", "WidgetFormats", "WidgetLayout", "WidgetRender", "WidgetHosting", "WidgetRunning",
            ]),
        module(
            "WidgetDocuments",
            imports: ["WidgetContract", "WidgetCore", "WidgetPredicates", "JSONText", "WidgetBytes"],
            testsUse: [
                "HostileWidgets", "JSONText", "WidgetPredicates", "WidgetContract", "WidgetCore", "WidgetLayout",
                "WidgetRender",
            ]),
        module(
            "WidgetFormats",
            imports: [
                "WidgetDocuments", "WidgetCore", "WidgetNib", "WidgetObjectModel", "WidgetPlist", "WidgetPredicates",
                "WidgetAddresses", "JSONText", "WidgetBytes",
            ],
            testsUse: [
                "JSONText", "WidgetNib", "WidgetPredicates", "WidgetBuild", "WidgetCore", "WidgetDocuments",
                "WidgetRender",
            ]),
        module(
            "WidgetLayout", imports: ["WidgetCore"],
            testsUse: ["WidgetPredicates", "WidgetCore", "WidgetHosting", "WidgetRunning"]),
        module(
            "WidgetRender",
            imports: [
                "WidgetContract", "WidgetCore", "WidgetLayout", "WidgetMarkup", "WidgetPredicates", "JSONText",
                "WidgetBytes",
            ],
            testsUse: [
                "JSONText", "WidgetMarkup", "PageReading", "WidgetPredicates", "WidgetBuild", "WidgetCore",
                "WidgetFormats",
                "WidgetLayout", "WidgetHosting", "WidgetRunning",
            ]),
        module(
            "WidgetRunning",
            imports: [
                "WidgetFormats", "WidgetDocuments", "WidgetContract", "WidgetCore", "WidgetBundles",
                "WidgetAssetCatalog", "WidgetNib", "WidgetObjectModel", "WidgetPlist",
                "WidgetFiles", "WidgetZip", "WidgetPredicates", "JSONText", "WidgetBytes",
            ],
            testsUse: [
                "WidgetAssetCatalog", "WidgetBytes", "WidgetDatabase", "WidgetFiles", "HostileWidgets", "JSONText",
                "WidgetPredicates", "WidgetBuild",
                "WidgetBundles", "WidgetContract", "WidgetCore", "WidgetDocuments", "WidgetFormats", "WidgetHosting",
                "WidgetIntake", "WidgetLayout", "WidgetRender", "WidgetSurroundings",
            ]),
        module(
            "WidgetHosting",
            imports: [
                "WidgetEngine", "WidgetRunning", "WidgetIntake", "WidgetContract", "WidgetCore",
                "WidgetBundles",
                "WidgetDatabase", "WidgetFiles",
                "WidgetPredicates", "JSONText", "WidgetBytes", "WidgetSurroundings",
            ],
            testsUse: [
                "WidgetBytes", "WidgetFiles", "JSONText", "WidgetPredicates", "WidgetCore", "WidgetEngine",
                "WidgetRunning",
            ]),
        module(
            "WidgetEngine",
            imports: [
                "WidgetRunning", "WidgetRender", "WidgetLayout", "WidgetContract", "WidgetCore", "WidgetBundles",
                "WidgetFiles",
                "WidgetPredicates", "JSONText", "WidgetBytes", "WidgetAddresses",
            ],
            testsUse: ["WidgetDeflate", "JSONText", "WidgetBundles", "WidgetFiles", "WidgetIntake"]),
        module(
            "WidgetCells",
            imports: [
                "WidgetLive", "WidgetHosting", "WidgetProcesses", "JSONText", "WidgetFiles", "WidgetBytes",
                "WidgetSurroundings",
            ],
            testsUse: [
                "WidgetBytes", "CellSupport", "WidgetFiles", "JSONText", "WidgetProcesses", "WidgetSurroundings",
                "WidgetHosting",
            ],
            testsStart: ["Cell"]),
        module(
            "WidgetLive",
            imports: [
                "WidgetSurroundings", "WidgetEngine", "WidgetHosting", "WidgetRunning", "WidgetRender", "WidgetCore",
                "WidgetMarkup", "WidgetPredicates",
                "JSONText",
                "WidgetBytes",
            ],
            testsUse: [
                "WidgetEngine",
                "WidgetBytes", "WidgetDeflate", "JSONText", "WidgetPredicates", "WidgetCore", "WidgetDocuments",
                "WidgetRender",
                "WidgetHosting", "WidgetRunning",
                "WidgetSurroundings",
            ], resources: [.embedInCode("page.js"), .embedInCode("live.js")]),
        module(
            "WidgetElement", imports: ["WidgetLive", "WidgetDeflate", "WidgetBytes"],
            testsUse: ["WidgetDeflate", "WidgetLive"],
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
            "GroupCache", imports: ["WidgetSurroundings", "JSONText", "WidgetBytes", "WidgetFiles"],
            testsUse: ["WidgetBytes", "WidgetFiles", "JSONText", "WidgetSurroundings"],
            testsStart: ["Group"]),
        module(
            "RegistryClient",
            imports: [
                "WidgetSurroundings", "RegistryContract", "WidgetTransfers", "WidgetBundles", "WidgetZip", "JSONText",
                "WidgetBytes", "WidgetFiles",
            ],
            testsUse: [
                "WidgetAddresses", "WidgetBytes", "ConformanceSupport", "WidgetDeflate", "WidgetFiles", "HostileServer",
                "JSONText",
                "RegistryContract", "WidgetTransfers", "WidgetBundles", "WidgetRegistryClient", "WidgetRuntime",
                "WidgetZip",
                "WidgetSurroundings",
            ], testsStart: ["widgetd", "widget"]),
        module(
            "WidgetEmbedding",
            imports: [
                "Widgets", "WidgetHosting", "WidgetRunning", "WidgetRender", "WidgetLayout", "WidgetDocuments",
                "WidgetCore",
                "WidgetPredicates", "WidgetBytes", "WidgetSurroundings",
            ], testsUse: ["Widgets"]),
        module(
            "WidgetHost",
            imports: [
                "GroupCache", "WidgetHosting", "WidgetRunning", "WidgetContract", "WidgetCore", "RegistryContract",
                "RegistryClient",
                "WidgetTransfers", "WidgetAddresses", "WidgetFiles", "WidgetPredicates", "JSONText", "WidgetBytes",
                "WidgetSurroundings",
            ],
            testsUse: [
                "WidgetAddresses", "WidgetAssetCatalog", "WidgetBytes", "ConformanceSupport", "WidgetFiles",
                "GroupCache", "HostileServer",
                "JSONText", "WidgetPredicates", "RegistryClient", "WidgetTransfers", "WidgetBuild", "WidgetContract",
                "WidgetCore",
                "WidgetFormats", "WidgetIntake", "WidgetRender", "WidgetHosting", "WidgetRunning", "WidgetSurroundings",
            ], testsStart: ["Group", "widgetd"]),
        module(
            "WidgetRegistryClient",
            imports: [
                "RegistryClient", "RegistryContract", "WidgetTransfers", "WidgetIntake", "WidgetBundles", "WidgetFiles",
                "WidgetBytes",
                "WidgetSurroundings",
            ],
            testsUse: [
                "WidgetBytes", "ConformanceSupport", "WidgetFiles", "JSONText", "ReleaseSupport", "WidgetSurroundings",
            ],
            testsStart: ["Release", "widgetd"]),
        module(
            "WidgetRuntime",
            imports: [
                "WidgetRegistryClient", "RegistryClient", "WidgetHost", "GroupCache", "WidgetHosting", "WidgetRunning",
                "WidgetIntake",
                "WidgetBundles", "WidgetRender", "WidgetLayout", "WidgetContract", "WidgetCore", "WidgetPredicates",
                "JSONText", "WidgetBytes",
                "WidgetAddresses", "WidgetTransfers", "WidgetSurroundings",
            ],
            testsUse: [
                "WidgetFiles", "HostileServer", "WidgetBytes", "WidgetSurroundings", "WidgetRegistryClient",
                "WidgetHosting",
                "WidgetRunning",
            ]),
        module(
            "WidgetPages",
            imports: [
                "WidgetRuntime", "WidgetElement", "WidgetLive", "WidgetRender", "WidgetHosting", "WidgetRunning",
                "WidgetLayout", "WidgetCore", "HTTPWire", "WidgetMarkup", "WidgetSurroundings", "WidgetBytes",
            ],
            testsUse: ["WidgetFiles", "WidgetSurroundings", "WidgetLayout", "WidgetLive", "WidgetRuntime"]),
        module(
            "WidgetPackages",
            imports: [
                "WidgetSurroundings", "WidgetContract", "JSONText", "WidgetProcesses", "WidgetBytes", "WidgetFiles",
            ],
            testsUse: ["WidgetSurroundings", "JSONText", "WidgetContract"], testsStart: ["Answering"]),
    ])

let server = layer(
    "Server",
    [
        module(
            "WidgetRegistry",
            imports: [
                "WidgetSurroundings", "RegistryContract", "WidgetBundles", "JSONText", "WidgetBytes", "WidgetFiles",
            ],
            testsUse: [
                "WidgetBytes", "ClusterStore", "WidgetDatabase", "WidgetFiles", "JSONText", "LocalStore", "MemoryStore",
                "ObjectPeer", "ObjectStore",
                "WidgetPostgres", "PostgresPeer", "RegistryContract", "WidgetTransfers", "WidgetBundles",
                "WidgetSurroundings",
            ]),
        module(
            "CatalogSQL", imports: ["RegistryContract", "WidgetRegistry", "WidgetBytes"],
            testsUse: ["WidgetBytes", "WidgetDatabase", "WidgetFiles", "LocalStore", "WidgetRegistry"]),
        module(
            "ClusterStore",
            imports: [
                "WidgetSurroundings", "CatalogSQL", "WidgetRegistry", "WidgetPostgres", "WidgetBytes", "WidgetFiles",
            ],
            testsUse: [
                "WidgetSurroundings", "WidgetBytes", "CatalogSQL", "MemoryStore", "WidgetPostgres", "PostgresPeer",
                "WidgetRegistry",
            ]),
        module(
            "LocalStore",
            imports: [
                "WidgetSurroundings", "CatalogSQL", "WidgetRegistry", "WidgetDatabase", "WidgetBundles", "WidgetBytes",
                "WidgetFiles",
            ],
            testsUse: [
                "WidgetSurroundings", "WidgetBytes", "WidgetDatabase", "WidgetFiles", "WidgetRegistry",
                "RegistryContract",
                "WidgetBundles",
            ]),
        module(
            "PageServer",
            imports: [
                "WidgetElement", "WidgetLive", "WidgetRender", "WidgetLayout", "WidgetContract", "WidgetCore",
                "WidgetHTTPServer", "HTTPWire",
                "WidgetMarkup", "JSONText", "WidgetAddresses", "WidgetDeflate", "WidgetBytes",
            ],
            testsUse: [
                "WidgetAddresses", "WidgetBytes", "WidgetDeflate", "WidgetHTTPServer", "HTTPWire", "WidgetLogging",
                "WidgetSockets", "WidgetContract",
                "WidgetCore", "WidgetDocuments", "WidgetElement", "WidgetLive", "WidgetRender", "WidgetHosting",
                "WidgetRunning",
            ]),
        module("RegistryManual", imports: ["CWidgetManual", "WidgetMarkup"], testsUse: ["WidgetMarkup"]),
        module(
            "RegistryServer",
            imports: [
                "WidgetFindings",
                "WidgetSurroundings",
                "RegistryContract", "WidgetRegistry", "RegistryManual", "StaticSite", "WidgetBundles",
                "WidgetHTTPServer",
                "HTTPWire", "WidgetMarkup", "WidgetZip", "WidgetDeflate", "JSONText", "WidgetBytes", "WidgetFiles",
                "WidgetLogging", "WidgetAddresses",
            ],
            testsUse: [
                "WidgetFindings",
                "WidgetSurroundings",
                "WidgetAddresses", "WidgetBytes", "WidgetDatabase", "WidgetDeflate", "WidgetFiles", "WidgetHTTPServer",
                "HTTPWire", "JSONText", "LocalStore", "WidgetLogging",
                "MemoryStore", "WidgetRegistry", "RegistryContract", "WidgetSockets", "WidgetBundles",
            ],
            resources: [
                .embedInCode("Gallery/gallery.css"), .embedInCode("Gallery/catalogue.js"),
                .embedInCode("Gallery/running.js"),
                .embedInCode("Embed/embed.css"), .embedInCode("Embed/embed.js"),
                .embedInCode("Manage/manage.js"),
            ]),
        module(
            "ObjectStore",
            imports: [
                "WidgetSurroundings", "WidgetRegistry", "WidgetTransfers", "XMLText", "WidgetBytes", "WidgetFiles",
            ],
            testsUse: [
                "WidgetSurroundings", "WidgetBytes", "WidgetFiles", "MemoryStore", "ObjectPeer", "WidgetRegistry",
                "WidgetTransfers",
            ]),
        module(
            "StaticSite", imports: ["RegistryContract", "JSONText", "WidgetBytes", "WidgetFiles"],
            testsUse: [
                "WidgetSurroundings",
                "WidgetBytes", "WidgetFiles", "LocalStore", "WidgetRegistry", "RegistryClient", "RegistryContract",
                "RegistryServer",
                "WidgetTransfers",
                "WidgetBundles",
            ]),
    ])

let programs = layer(
    "Programs",
    [
        module(
            "ServerCommands",
            imports: [
                "WidgetFindings",
                "RegistryServer", "StaticSite", "PageServer", "WidgetCells", "WidgetElement", "WidgetLive",
                "WidgetEngine",
                "WidgetProcesses",
                "WidgetHTTPServer",
                "HTTPWire", "WidgetSockets", "WidgetConfiguration", "WidgetConsole", "WidgetSurroundings",
                "WidgetLogging",
                "WidgetAddresses", "WidgetBytes",
                "WidgetIntake",
                "WidgetHosting", "WidgetRunning", "WidgetContract", "WidgetCore", "WidgetLayout", "WidgetRender",
                "WidgetBundles", "LocalStore",
                "WidgetRegistry", "WidgetFiles", "JSONText", "WidgetSystemCalls", "RegistryContract",
            ],
            testsUse: [
                "WidgetFindings",
                "WidgetAddresses", "WidgetBytes", "WidgetConfiguration", "WidgetConsole", "WidgetFiles",
                "WidgetHTTPServer", "LocalStore", "WidgetLogging",
                "WidgetProcesses", "WidgetRegistry", "RegistryContract", "RegistryServer", "WidgetSockets",
                "WidgetSurroundings",
                "WidgetBuild", "WidgetBundles", "WidgetCells", "WidgetIntake", "WidgetRunning",
            ]),
        module(
            "RegistryMirror",
            imports: [
                "RegistryClient", "RegistryServer", "WidgetRegistry", "LocalStore", "WidgetHTTPServer",
                "WidgetTransfers",
                "RegistryContract", "WidgetBundles", "JSONText", "WidgetLogging", "WidgetFiles", "WidgetBytes",
                "WidgetSurroundings",
            ],
            testsUse: [
                "ConformanceSupport", "WidgetFiles", "HostileServer", "JSONText", "WidgetLogging", "MemoryStore",
                "WidgetRegistry",
                "RegistryClient", "WidgetSurroundings", "WidgetBundles",
            ], testsStart: ["widgetd", "widgetd-cluster"]),
        module(
            "ClusterCommands",
            imports: [
                "ServerCommands", "CatalogSQL", "ClusterStore", "WidgetPostgres", "LocalStore", "ObjectStore",
                "WidgetFiles",
                "JSONText",
                "WidgetRegistry", "WidgetConfiguration", "WidgetConsole", "WidgetSurroundings", "WidgetLogging",
                "WidgetBytes", "RegistryMirror",
                "RegistryClient", "WidgetTransfers",
                "WidgetHTTPServer", "WidgetBundles",
            ],
            testsUse: [
                "CellSupport", "CommandSupport", "WidgetConfiguration", "JSONText", "WidgetPostgres", "ServerCommands",
            ]),
        module(
            "WidgetCommands",
            imports: [
                "WidgetFindings",
                "WidgetBuild", "WidgetIntake", "WidgetEngine", "WidgetHosting", "WidgetRunning", "WidgetHost",
                "WidgetPackages",
                "WidgetDocuments",
                "WidgetContract", "WidgetCore", "WidgetLayout", "WidgetRender", "WidgetLive", "WidgetElement",
                "PageServer",
                "WidgetHTTPServer", "WidgetSockets", "RegistryClient", "RegistryContract", "WidgetTransfers",
                "WidgetBundles",
                "WidgetPredicates", "WidgetConsole", "WidgetConfiguration", "WidgetSurroundings", "WidgetZip",
                "GroupCache",
                "JSONText", "WidgetLogging",
                "WidgetAddresses", "WidgetProcesses",
                "WidgetSystemCalls", "WidgetBytes", "WidgetFiles", "WidgetDeflate",
            ],
            testsUse: [
                "WidgetBytes", "WidgetConsole", "WidgetDeflate", "WidgetFiles", "WidgetSurroundings", "WidgetCore",
                "WidgetHost", "WidgetLive",
                "WidgetRender", "WidgetHosting", "WidgetRunning",
            ]),
        Room(
            target: program("widgetd", imports: ["ServerCommands"]),
            tests: TestFolder(
                name: "WidgetdTests",
                uses: [
                    "WidgetAddresses", "CWidgetLinux", "CellSupport", "CommandSupport", "ConformanceSupport",
                    "ServerCommands",
                    "WidgetSockets",
                    "WidgetSurroundings", "WidgetTestSupport",
                ],
                starts: ["widgetd"])),
        Room(
            target: program("widgetd-cluster", imports: ["ClusterCommands"]),
            tests: TestFolder(
                name: "Widgetd-clusterTests",
                uses: [
                    "WidgetBytes", "CellSupport", "ClusterCommands", "CommandSupport", "ConformanceSupport", "JSONText",
                    "ObjectPeer",
                    "WidgetPostgres", "PostgresPeer", "WidgetSurroundings", "WidgetTestSupport",
                ],
                starts: ["widgetd", "widgetd-cluster"])),
        Room(
            target: program("widget", imports: ["WidgetCommands"]),
            tests: TestFolder(
                name: "WidgetTests",
                uses: [
                    "WidgetBytes", "CommandSupport", "ConformanceSupport", "WidgetConsole", "HostileServer", "JSONText",
                    "WidgetNib",
                    "PackageSupport", "RegistryContract", "WidgetSurroundings", "WidgetTestSupport",
                    "WidgetBuild", "WidgetCommands", "WidgetHosting", "WidgetRunning",
                ], starts: ["widget", "widgetd", "Answering"])),
    ])

/// The libraries for other packages.
let forOthers = ["Widgets", "WidgetEmbedding", "WidgetRegistryClient", "WidgetRuntime", "WidgetPages"]

/// What concerns the whole house, and the two suites that ask the programs as clients, hosts and accidents do.
let together = layer(
    "House",
    [
        tests("ArchitectureTests", use: ["WidgetBytes", "WidgetTestSupport"]),
        tests(
            "ConformanceTests",
            use: ["WidgetBytes", "ConformanceSupport", "JSONText", "WidgetSurroundings", "WidgetTestSupport"],
            start: ["widget", "widgetd"]),
        tests(
            "FaultTests",
            use: ["WidgetBytes", "ConformanceSupport", "JSONText", "WidgetSurroundings", "WidgetTestSupport"],
            start: ["widgetd", "widget"]),
        tests(
            "SteppedTests",
            use: [
                "WidgetBytes", "ConformanceSupport", "WidgetFiles", "WidgetHTTPServer", "WidgetLogging", "MemoryStore",
                "WidgetRegistry",
                "RegistryClient",
                "RegistryContract", "RegistryServer", "WidgetAddresses", "WidgetCommands", "WidgetSockets",
                "WidgetSurroundings", "WidgetTestSupport", "WidgetTransfers",
            ]),
        tests("PublicSurfaceTests", use: ["WidgetTestSupport"], start: forOthers),
    ])

/// Programs that measure, built by `make bench` alone.
let benches: [Target] =
    ours("BENCHES") == nil
    ? []
    : [
        program(
            "BenchServer",
            imports: [
                "RegistryServer", "WidgetHTTPServer", "HTTPWire", "WidgetSockets", "WidgetLogging", "WidgetBytes",
            ],
            path: "Tests/Benchmarks/BenchServer"),
        program(
            "BundleBench", imports: ["WidgetBundles", "WidgetFiles", "WidgetBytes"],
            path: "Tests/Benchmarks/BundleBench"),
        program("NibBench", imports: ["WidgetNib", "WidgetZip", "WidgetFiles"], path: "Tests/Benchmarks/NibBench"),
        program(
            "ResourceBench",
            imports: [
                "WidgetAssetCatalog", "WidgetObjectModel", "WidgetNib", "WidgetPlist", "WidgetZip", "WidgetFiles",
                "WidgetTestSupport",
            ],
            path: "Tests/Benchmarks/ResourceBench"),
        program(
            "RegistryBench",
            imports: [
                "LocalStore", "CatalogSQL", "ClusterStore", "WidgetPostgres", "WidgetRegistry", "RegistryContract",
                "WidgetBundles",
                "WidgetDatabase", "WidgetFiles", "WidgetBytes", "WidgetSurroundings", "WidgetTestSupport",
            ],
            path: "Tests/Benchmarks/RegistryBench"),
        program(
            "WidgetBench",
            imports: [
                "HostileWidgets", "WidgetIntake", "WidgetHosting", "WidgetRunning", "WidgetDocuments", "WidgetCore",
                "WidgetLayout",
                "WidgetRender", "WidgetLive", "Widgets", "WidgetPredicates", "JSONText", "WidgetFiles", "CWidgetLinux",
                "WidgetBytes",
            ],
            path: "Tests/Benchmarks/WidgetBench"),
        program(
            "PredicateBench", imports: ["WidgetPredicates", "JSONText", "WidgetFiles"],
            path: "Tests/Benchmarks/PredicateBench"),
        program("HTTPWireBench", imports: ["HTTPWire"], path: "Tests/Benchmarks/HTTPWireBench"),
    ]

/// A library that several folders of tests use.
func support(_ name: String, imports: [String]) -> Target {
    .target(
        name: name, dependencies: imports.map { .byName(name: $0) }, path: "Tests/Support/\(name)",
        swiftSettings: settings)
}

let supports: [Target] = [
    support(
        "CellSupport",
        imports: ["WidgetTestSupport", "WidgetCells", "WidgetProcesses", "WidgetSurroundings", "WidgetFiles"]),
    support("CommandSupport", imports: ["WidgetTestSupport", "WidgetConsole", "WidgetSurroundings"]),
    support(
        "ConformanceSupport",
        imports: [
            "WidgetTestSupport", "CellSupport", "CommandSupport", "ClusterCommands", "ServerCommands", "WidgetConsole",
            "WidgetProcesses",
            "WidgetSockets",
            "WidgetSurroundings",
            "JSONText", "WidgetCells",
            "WidgetBytes", "CWidgetLinux",
        ]),
    support("HostileServer", imports: ["WidgetTestSupport", "HTTPWire", "CWidgetLinux"]),
    support(
        "HostileWidgets",
        imports: [
            "WidgetTestSupport", "WidgetBuild", "WidgetHosting", "WidgetRunning", "WidgetFormats", "WidgetDocuments",
            "WidgetCore",
            "WidgetRender", "WidgetPredicates", "WidgetFiles", "WidgetBytes",
        ]),
    support(
        "MemoryStore",
        imports: ["WidgetRegistry", "RegistryContract", "WidgetSurroundings", "WidgetBytes", "WidgetFiles"]),
    support(
        "ObjectPeer", imports: ["ObjectStore", "WidgetTransfers", "WidgetTestSupport", "WidgetBytes", "WidgetFiles"]),
    support(
        "PackageSupport",
        imports: ["WidgetTestSupport", "WidgetSurroundings", "Widgets", "WidgetContract", "JSONText", "WidgetBytes"]),
    support("PageReading", imports: []),
    support("PostgresPeer", imports: ["WidgetTestSupport", "WidgetPostgres", "WidgetBytes"]),
    support("ReleaseSupport", imports: ["WidgetRegistryClient"]),
    support("WidgetTestSupport", imports: ["CWidgetLinux", "CWidgetZlib"]),
    // The screens of a sample package, compiled as its users compile theirs.
    .target(
        name: "Ensemble", dependencies: ["Widgets"], path: "Bundles/Ensemble/Sources/Ensemble",
        swiftSettings: [.swiftLanguageMode(.v6)]),
    // The example of a page of one's own, which the cases in the browser visit.
    .executableTarget(
        name: "PageHost", dependencies: ["WidgetPages"], path: "Examples/Hosts/Sources/PageHost",
        swiftSettings: [.swiftLanguageMode(.v6)]),
]

/// What tests start in the place of other programs: folders of `Tests/Support/WidgetSpecimen`, which are one program, and what
/// each imports.
let specimens: KeyValuePairs<String, [String]> = [
    "Answering": ["PackageSupport", "Widgets"],
    "Cell": ["CellSupport", "WidgetCells", "WidgetProcesses"],
    "Confined": ["WidgetProcesses", "JSONText", "WidgetBytes", "WidgetFiles"],
    "Engine": ["HostileWidgets", "WidgetEngine"],
    "Group": [
        "GroupCache", "WidgetHosting", "WidgetRunning", "WidgetContract", "WidgetCore", "WidgetPredicates", "JSONText",
        "WidgetBytes",
    ],
    "Release": ["ReleaseSupport", "WidgetRegistryClient"],
]

/// The program of the specimens named.
func specimen(_ names: [String]) -> Target {
    let parts = specimens.filter { names.contains($0.key) }
    return .executableTarget(
        name: "WidgetSpecimen", dependencies: Set(parts.flatMap(\.value)).sorted().map { .byName(name: $0) },
        path: "Tests/Support/WidgetSpecimen", sources: ["main.swift"] + parts.map(\.key),
        swiftSettings: settings + parts.map { .define("SPECIMEN_\($0.key.uppercased())") })
}

let fuzzers: [Target] =
    ours("WIDGETD_FUZZ") == nil
    ? []
    : [
        fuzzer("AssetFuzz", imports: ["WidgetAssetCatalog"]),
        fuzzer("DrawingFuzz", imports: ["WidgetAssetCatalog", "WidgetDrawings"]),
        fuzzer("DocumentFuzz", imports: ["WidgetDocuments", "WidgetCore", "WidgetRender", "WidgetPredicates"]),
        fuzzer("HTTPWireFuzz", imports: ["HTTPWire"]),
        fuzzer("JSONFuzz", imports: ["JSONText"]),
        fuzzer("NibFuzz", imports: ["WidgetNib"]),
        fuzzer("ModelFuzz", imports: ["WidgetObjectModel"]),
        fuzzer(
            "PageFuzz",
            imports: [
                "PageReading", "WidgetBuild", "WidgetHosting", "WidgetRunning", "WidgetFormats", "WidgetLayout",
                "WidgetRender",
                "WidgetCore", "WidgetNib", "WidgetPredicates", "JSONText", "WidgetFiles",
            ]),
        fuzzer("PlistFuzz", imports: ["WidgetBytes", "WidgetPlist"]),
        fuzzer("PredicateFuzz", imports: ["WidgetPredicates"]),
        fuzzer("RegistryClientFuzz", imports: ["RegistryClient", "RegistryContract", "WidgetBundles", "JSONText"]),
        fuzzer("TimeZoneFuzz", imports: ["WidgetCore"]),
        fuzzer("TransfersFuzz", imports: ["WidgetTransfers"]),
        fuzzer("RegistryFuzz", imports: ["LocalStore", "WidgetRegistry", "WidgetSurroundings", "WidgetFiles"]),
        fuzzer(
            "ScriptFuzz",
            imports: [
                "WidgetHosting", "WidgetRunning", "WidgetFormats", "WidgetCore", "WidgetRender", "WidgetBuild",
                "WidgetConsole", "WidgetFiles",
            ]),
        fuzzer(
            "WidgetFuzz",
            imports: [
                "WidgetHosting", "WidgetRunning", "WidgetFormats", "WidgetCore", "WidgetRender", "WidgetBuild",
                "WidgetPredicates", "WidgetFiles",
            ]),
        fuzzer("XMLFuzz", imports: ["XMLText"]),
        fuzzer("BuildFuzz", imports: ["WidgetBuild", "WidgetNib"]),
        fuzzer("ZipFuzz", imports: ["WidgetZip", "WidgetFiles"]),
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
    "StorageTests": [
        "CatalogSQLTests", "ClusterStoreTests", "LocalStoreTests", "ObjectStoreTests", "WidgetRegistryTests",
    ],
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

/// `ONLY=WidgetZip,WidgetPlist swift test` builds those modules, their folders of tests, each a target, and what either needs, and
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
    return all.filter { found.contains($0.name) && $0.name != "WidgetSpecimen" }
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
