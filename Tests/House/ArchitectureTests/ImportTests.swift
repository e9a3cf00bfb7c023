import Testing

/// Goal: docs/modules.md stays true. Method: its table is compared with the import lines of Sources and with Package.swift.
@Suite struct `The import table` {
    @Test func `The table has a row for every module and program, and for nothing else`() {
        #expect(!Repository.modules.isEmpty)
        #expect(ImportTable.documented.keys.sorted() == Repository.modules)
    }

    @Test(arguments: Repository.modules)
    func `A module's row says what Package.swift declares`(module: String) {
        #expect(ImportTable.documented[module]?.own == ImportTable.declared[module])
    }

    @Test(arguments: Repository.modules)
    func `A module's row says what its files import`(module: String) throws {
        let row = try #require(ImportTable.documented[module])
        let imports = Repository.sources.filter { $0.module == module }.reduce(into: Set()) { $0.formUnion($1.imports) }
        // A file that the engine as WebAssembly shares imports the C library under this name there.
        #expect(imports.subtracting(["CWasm"]) == row.own.union(row.system))
    }

    @Test(arguments: Repository.modules)
    func `A module imports nothing that is drawn above it`(module: String) throws {
        let own = try #require(ImportTable.rows[module], "\(module) is not in the drawing of layers")
        for imported in try #require(ImportTable.documented[module]).own {
            let other = try #require(ImportTable.rows[imported], "\(imported) is not in the drawing of layers")
            #expect(own <= other, "\(module) imports \(imported)")
        }
    }

    /// The meaning of a bundle is judged in a process for itself.
    @Test(arguments: [
        "RegistryServer", "WidgetRegistry", "LocalStore", "ClusterStore", "ObjectStore", "StaticSite", "RegistryClient",
    ])
    func `The registry's side reads no interface, no model and no catalogue`(module: String) throws {
        var reached: Set<String> = []
        var pending = [module]
        while let next = pending.popLast() {
            guard reached.insert(next).inserted else { continue }
            pending += ImportTable.documented[next]?.own ?? []
        }
        #expect(
            reached.count > 3 && reached.isDisjoint(with: ["WidgetNib", "WidgetObjectModel", "WidgetAssetCatalog"]))
    }

    /// The listing of `Sources` is the drawing, and the tests of a module are in the same place of `Tests`.
    @Test(arguments: Repository.modules)
    func `A module and its tests are in the folder of its layer`(module: String) throws {
        let layer = try #require(ImportTable.layer(of: module), "\(module) is not in the drawing of layers")
        let sources = Repository.sources.filter { $0.module == module }
        #expect(sources.allSatisfy { $0.path.hasPrefix("Sources/\(layer)/\(module)/") })
        let name = module.prefix(1).uppercased() + module.dropFirst() + "Tests"
        let tests = Repository.tests.filter { $0.module == name }
        #expect(!tests.isEmpty && tests.allSatisfy { $0.path.hasPrefix("Tests/\(layer)/\(name)/") })
    }

    /// A folder that names a module without need is compiled anew with each change of it.
    @Test func `A folder of tests names the modules that its files import, and no program`() throws {
        let folders = Dictionary(grouping: Repository.tests.filter { $0.module.hasSuffix("Tests") }, by: \.module)
        #expect(folders.count > 50)
        let known = Set(Repository.modules).union(ImportTable.supports)
        for (folder, files) in folders.sorted(by: { $0.key < $1.key }) {
            let imported = files.reduce(into: Set()) { $0.formUnion($1.imports) }.intersection(known)
            let used = try #require(ImportTable.usedByTests[folder], "\(folder) has no row in Package.swift")
            // The module itself and TestSupport come with the row of a module.
            let own: Set = [String(folder.dropLast("Tests".count)), "WidgetTestSupport"]
            #expect(imported.subtracting(own) == used.subtracting(own), "\(folder)")
            #expect(used.isDisjoint(with: ["widget", "widgetd", "widgetd-cluster", "WidgetSpecimen"]), "\(folder)")
        }
    }

    /// In a build each name is used once, those of all its packages together. One general word is taken already, as `Logging` is.
    @Test func `A module has a name that other packages do not use`() {
        let names = Set(Repository.modules).union(ImportTable.supports).subtracting(["Ensemble"])
        let general = names.filter {
            $0.wholeMatch(
                of:
                    /(?:CWidget|Widget|widget).+|Widgets|widget|(?:[A-Z]+[a-z]+){2,}|[A-Z][a-z]+[A-Z]{3}|[A-Z]{3,}[A-Z][a-z]+/
            ) == nil
        }
        #expect(names.count > 80 && general.isEmpty, "\(general.sorted())")
        #expect(
            names.isDisjoint(with: [
                "HTTPServer", "AssetCatalog", "ObjectModel", "SystemCalls", "TestSupport",
            ]))
    }

    @Test func `No file imports the whole of Foundation`() {
        let whole = Repository.sources.filter { !$0.imports.isDisjoint(with: ["Foundation", "FoundationNetworking"]) }
        #expect(whole.map(\.path).isEmpty)
    }
}
