import Testing

/// Goal: ARCHITECTURE.md stays true. Method: its table is compared with the import lines of Sources and with Package.swift.
@Suite struct `The import table` {
    @Test func `has a row for every module and program, and for nothing else`() {
        #expect(!Repository.modules.isEmpty)
        #expect(ImportTable.documented.keys.sorted() == Repository.modules)
    }

    @Test(arguments: Repository.modules)
    func `says of each module what Package.swift declares`(module: String) {
        #expect(ImportTable.documented[module]?.own == ImportTable.declared[module])
    }

    @Test(arguments: Repository.modules)
    func `says of each module what its files import`(module: String) throws {
        let row = try #require(ImportTable.documented[module])
        let imports = Repository.sources.filter { $0.module == module }.reduce(into: Set()) { $0.formUnion($1.imports) }
        #expect(imports == row.own.union(row.system))
    }

    @Test func `never names the whole of Foundation`() {
        let whole = Repository.sources.filter { !$0.imports.isDisjoint(with: ["Foundation", "FoundationNetworking"]) }
        #expect(whole.map(\.path).isEmpty)
    }
}
