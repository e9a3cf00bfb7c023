import Testing
import WidgetBuild
import WidgetBytes
import WidgetObjectModel
import WidgetPlist

@Suite struct `A model's source` {
    private static let everything = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="14460" systemVersion="17G65" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="v1">
            <entity name="Author" representedClassName=".Author" isAbstract="YES" syncable="YES" codeGenerationType="class">
                <attribute name="id" attributeType="String" syncable="YES"/>
                <attribute name="born" optional="YES" attributeType="Date" defaultDateTimeInterval="86400" usesScalarValueType="NO"/>
                <attribute name="rank" optional="YES" transient="YES" attributeType="Integer 16" minValueString="1" maxValueString="5" defaultValueString="3"/>
                <attribute name="price" optional="YES" attributeType="Decimal" defaultValueString="9.50"/>
                <attribute name="weight" optional="YES" attributeType="Double" defaultValueString="0.5"/>
                <attribute name="isKnown" optional="YES" attributeType="Boolean" defaultValueString="YES"/>
                <attribute name="mark" optional="YES" attributeType="UUID" defaultValueString="00010203-0405-0607-0809-0a0B0c0D0e0F"/>
                <attribute name="home" optional="YES" attributeType="URI" defaultValueString="https://example.com"/>
                <attribute name="face" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
                <attribute name="mood" optional="YES" attributeType="Transformable" valueTransformerName="Mood"/>
                <attribute name="short" optional="YES" attributeType="String" regularExpressionString="a\\d&quot;" elementID="shortName">
                    <userInfo><entry key="JSONKeyPath" value="short_name"/></userInfo>
                </attribute>
                <relationship name="posts" optional="YES" toMany="YES" ordered="YES" deletionRule="Cascade" destinationEntity="Post" inverseName="author" inverseEntity="Post"/>
                <fetchedProperty name="latest" optional="YES"><fetchRequest name="fetchedPropertyFetchRequest" entity="Post" predicateString="author == $FETCH_SOURCE"/></fetchedProperty>
                <fetchIndex name="byRank"><fetchIndexElement property="rank" type="Binary" order="descending"/></fetchIndex>
                <uniquenessConstraints><uniquenessConstraint><constraint value="id"/></uniquenessConstraint></uniquenessConstraints>
                <userInfo><entry key="identityAttribute" value="id"/></userInfo>
            </entity>
            <entity name="Editor" parentEntity="Author" representedClassName="Editor"/>
            <entity name="Post">
                <relationship name="author" maxCount="1" minCount="1" deletionRule="Nullify" destinationEntity="Author" inverseName="posts" inverseEntity="Author"/>
            </entity>
            <fetchRequest name="all" entity="Post" predicateString="author != nil" fetchLimit="5"/>
            <configuration name="Local"><memberEntity name="Post"/></configuration>
            <elements><element name="Post" positionX="0" positionY="0" width="128" height="60"/></elements>
        </model>
        """

    private static func compile(_ text: String) throws -> DataModel {
        try ModelCompiler.compile(Array(text.utf8), path: "M.xcdatamodel/contents")
    }

    @Test func `a model's source is compiled attribute by attribute`() throws {
        let model = try Self.compile(Self.everything)
        #expect(model.entities.map(\.name) == ["Author", "Editor", "Post"])
        #expect(model.versionIdentifiers == ["v1"])
        let author = model.entities[0]
        #expect(author.className == "Author")
        #expect(author.isAbstract)
        #expect(author.userInfo["identityAttribute"] == "id")
        #expect(author.uniquenessConstraints == [["id"]])
        #expect(author.indexes.first?.elements == [.init(propertyName: "rank", isAscending: false)])
        let defaults = author.attributes.map(\.defaultValue)
        #expect(
            defaults == [
                nil, PlistDate(secondsSince2001: 86_400).map { .date($0) }, .integer(3), .string("9.50"), .real(0.5),
                .boolean(true), .data(Array(0...15)), .string("https://example.com"), nil, nil, nil,
            ])
        let rank = try #require(author.attribute(named: "rank"))
        #expect(rank.traits.isTransient)
        #expect((rank.minimum, rank.maximum) == (1, 5))
        #expect(author.attribute(named: "id")?.traits.isOptional == false)
        #expect(author.attribute(named: "face")?.allowsExternalStorage == true)
        #expect(author.attribute(named: "mood")?.valueTransformerName == "Mood")
        let short = try #require(author.attribute(named: "short"))
        #expect(short.traits.userInfo["JSONKeyPath"] == "short_name")
        #expect(short.traits.renamingIdentifier == "shortName")
        #expect(short.traits.validations.map(\.predicate) == [#"SELF MATCHES "a\\d\"""#])
        let posts = try #require(author.relationship(named: "posts"))
        #expect(posts.isToMany && posts.isOrdered)
        #expect(posts.deleteRule == .cascade)
        let back = try #require(model.entities[2].relationship(named: "author"))
        #expect((back.minimumCount, back.maximumCount) == (1, 1))
        #expect(back.inverse == "posts")
        #expect(author.fetchedProperties.first?.request.predicate == "author == $FETCH_SOURCE")
        #expect(model.fetchRequests.first?.request.fetchLimit == 5)
        #expect(model.configurations.first?.entityNames == ["Post"])
        #expect(model.attributes(of: "Editor").count == 11)
    }

    @Test func `a compiled model's archive is read as the same model`() throws {
        let model = try Self.compile(Self.everything)
        #expect(try DataModel(parsing: model.encoded()) == model)
    }

    @Test func `a model's source becomes a folder of versions`() throws {
        let one = Array("<model><entity name=\"A\"/></model>".utf8)
        let two = Array("<model><entity name=\"A\"/><entity name=\"B\"/></model>".utf8)
        let current = Array(
            "<plist version=\"1.0\"><dict><key>_XCCurrentVersionName</key><string>M 2.xcdatamodel</string></dict></plist>"
                .utf8)
        let sources = ["M.xcdatamodel/contents": one, "M 2.xcdatamodel/contents": two, ".xccurrentversion": current]
        let files = try ModelCompiler.compile(folder: sources)
        #expect(files.map(\.name).sorted() == ["M 2.mom", "M.mom", "VersionInfo.plist"])
        let folder = try ModelFolder(reading: files)
        #expect(folder.currentName == "M 2")
        #expect(folder.current?.model.entities.map(\.name) == ["A", "B"])
        #expect(folder.current?.entityHashes.count == 2)
        #expect(try ModelCompiler.compile(folder: ["M.xcdatamodel/contents": one]).count == 2)
        for (missing, path) in [
            (".xccurrentversion", ".xccurrentversion"), ("M 2.xcdatamodel/contents", ".xccurrentversion"),
        ] {
            var changed = sources
            changed[missing] = nil
            let error = #expect(throws: BuildError.self) { try ModelCompiler.compile(folder: changed) }
            #expect(error?.path == path)
        }
        #expect(throws: BuildError.self) { try ModelCompiler.compile(folder: [:]) }
    }

    /// A model that takes minutes if each entity asks its ancestors for theirs.
    @Test func `an entity may have many ancestors, in any order`() throws {
        let count = 1_500
        let numbers = Array(0..<count)
        let ways = numbers.map { "<relationship name='t\($0)' destinationEntity='E\($0)' inverseName='s\($0)'/>" }
        for order in [numbers, numbers.reversed()] {
            let entities = order.map { number in
                let parent = number == 0 ? "" : " parentEntity='E\(number - 1)'"
                return """
                    <entity name='E\(number)'\(parent)>
                    <relationship name='s\(number)' destinationEntity='E0' inverseName='t\(number)'/>
                    \(number == 0 ? ways.joined() : "")
                    <fetchIndex name='i'><fetchIndexElement property='s0' type='Binary'/></fetchIndex></entity>
                    """
            }
            let source = "<model>\(entities.joined())<fetchRequest name='f' entity='F'/></model>"
            // The last thing that is looked at.
            let error = #expect(throws: BuildError.self) { try Self.compile(source) }
            #expect(error?.description.contains("no entity F") == true, "\(error?.description ?? "")")
        }
    }

    @Test func `a model with many ancestors has a hash for each, and is read again`() throws {
        let count = 1_000
        let entities = (0..<count).map { number in
            let parent = number == 0 ? "" : " parentEntity='E\(number - 1)'"
            return """
                <entity name='E\(number)'\(parent)><attribute name='a\(number)' attributeType='String'/>
                <relationship name='r\(number)' destinationEntity='E\(number)' inverseName='r\(number)'/></entity>
                """
        }
        let sources = ["M.xcdatamodel/contents": Array("<model>\(entities.joined())</model>".utf8)]
        let files = try ModelCompiler.compile(folder: sources)
        let version = try #require(try ModelFolder(reading: files).current)
        #expect(Set(version.entityHashes.map(\.bytes)).count == count)
        #expect(version.model.entities.last?.relationships.first?.inverse == "r\(count - 1)")
    }

    static let refusals: [(String, Int, Int, String)] = [
        ("<model><entity/></model>", 1, 8, "has no name"),
        ("<model>\n<entity name='A'/><entity name='A'/></model>", 2, 19, "twice"),
        ("<model>\n <entity name='A' parentEntity='B'/></model>", 2, 2, "no entity"),
        ("<model><entity name='A' parentEntity='A'/></model>", 1, 8, "inherits from itself"),
        (
            "<model><entity name='A' parentEntity='B'/>\n<entity name='B' parentEntity='C'/><entity name='C' parentEntity='B'/></model>",
            1, 8, "A inherits from itself"
        ),
        (
            "<model><entity name='A' parentEntity='B'/>\n<entity name='B' parentEntity='C'/></model>", 2, 1,
            "no entity C"
        ),
        ("<model><entity name='A' colour='x'/></model>", 1, 25, "cannot be compiled"),
        ("<model><thing/></model>", 1, 8, "cannot be compiled"),
        ("<model><entity name='A'><attribute name='a' attributeType='Text'/></entity></model>", 1, 45, "is unknown"),
        (
            "<model><entity name='A'><attribute name='a' attributeType='Integer 16' defaultValueString='40000'/></entity></model>",
            1, 72, "whole number"
        ),
        (
            "<model><entity name='A'><attribute name='a' attributeType='Boolean' defaultValueString='maybe'/></entity></model>",
            1, 69, "YES or NO"
        ),
        (
            "<model><entity name='A'><attribute name='a' attributeType='String' optional='yes'/></entity></model>", 1,
            68, "YES or NO"
        ),
        (
            "<model><entity name='A'><attribute name='a' attributeType='String'/><attribute name='a' attributeType='String'/></entity></model>",
            1, 69, "twice"
        ),
        (
            "<model><entity name='A' parentEntity='B'><attribute name='a' attributeType='String'/></entity><entity name='B'>\n<relationship name='a' destinationEntity='B'/></entity></model>",
            1, 42, "or inherits it"
        ),
        (
            "<model><entity name='A'><relationship name='r' destinationEntity='B' inverseName='s'/></entity><entity name='B'><relationship name='s' destinationEntity='B' inverseName='r'/></entity></model>",
            1, 25, "does not lead back here"
        ),
        ("<model><entity name='A'><relationship name='r' destinationEntity='B'/></entity></model>", 1, 25, "no entity"),
        (
            "<model><entity name='A'><relationship name='r' destinationEntity='A' inverseName='s'/></entity></model>",
            1, 25, "no relationship"
        ),
        (
            "<model><entity name='A'><relationship name='r' destinationEntity='A' deletionRule='Burn'/></entity></model>",
            1, 70, "is unknown"
        ),
        (
            "<model><entity name='A'><uniquenessConstraints><uniquenessConstraint><constraint value='x'/></uniquenessConstraint></uniquenessConstraints></entity></model>",
            1, 8, "no property"
        ),
        ("<model><fetchRequest name='f' entity='B'/></model>", 1, 1, "no entity"),
        ("<models/>", 1, 1, "begins with"), ("<model>", 1, 8, "too early"),
    ]

    @Test(arguments: refusals)
    func `a fault in a model's source is refused with its place`(
        _ text: String, _ line: Int, _ column: Int, _ words: String
    ) {
        let error = #expect(throws: BuildError.self) { try Self.compile(text) }
        #expect(error?.position == TextPosition(line: line, column: column))
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
        #expect(error?.description.hasPrefix("M.xcdatamodel/contents:\(line):\(column): ") == true)
    }

    @Test func `attributes of older editors and their defaults are understood`() throws {
        let model = try Self.compile(
            """
            <model type="com.apple.IDECoreDataModeler.DataModel" macOSVersion="10.6" iOSVersion="4.0">
            <entity name="A"><attribute name="a" attributeType="Boolean" defaultValueString="0.0"/>
            <attribute name="b" attributeType="Boolean" defaultValueString="1"/>
            <attribute name="c" attributeType="Integer 16" defaultValueString="NO"/>
            <attribute name="d" attributeType="Integer 64" defaultValueString="YES"/></entity></model>
            """)
        let entity = try #require(model.entity(named: "A"))
        #expect(
            entity.attributes.map(\.defaultValue) == [.boolean(false), .boolean(true), .integer(0), .integer(1)])
    }

    @Test func `a transient attribute may have no type, and no other`() throws {
        func compile(_ attributes: String) throws -> DataModel {
            try Self.compile("<model><entity name='A'><attribute name='a' \(attributes)/></entity></model>")
        }
        let entity = try #require(compile("optional='YES' transient='YES'").entity(named: "A"))
        #expect(entity.attributes.map(\.type) == [.undefined])
        let error = #expect(throws: BuildError.self) { try compile("optional='YES'") }
        #expect(error?.description.contains("has no attributeType") == true)
    }

    @Test(arguments: [
        "<plist><dict/></plist>", "<plist><dict><key>_XCCurrentVersionName</key><string/></dict></plist>",
    ])
    func `a choice of versions that names none is that of the only version`(_ current: String) throws {
        let model = Array("<model><entity name='A'/></model>".utf8)
        let sources = ["M.xcdatamodel/contents": model, ".xccurrentversion": Array(current.utf8)]
        #expect(try ModelFolder(reading: ModelCompiler.compile(folder: sources)).currentName == "M")
        let two = sources.merging(["N.xcdatamodel/contents": model]) { own, _ in own }
        let error = #expect(throws: BuildError.self) { try ModelCompiler.compile(folder: two) }
        #expect(error?.sentence == "nothing says which of 2 versions is current")
    }

    @Test func `a model without versions becomes one file`() throws {
        let manifest =
            "<plist version='1.0'><dict><key>CFBundleIdentifier</key><string>a.b</string></dict></plist>"
        let compiled = try BundleCompiler(
            [
                "Info.plist": Array(manifest.utf8),
                "Data/Notes.xcdatamodel/contents": Array("<model><entity name='Note'/></model>".utf8),
            ], folder: "A")
        #expect(compiled.files.map(\.path) == ["Data/Notes.mom", "Info.plist"])
        #expect(try DataModel(parsing: compiled.files[0].bytes).entities.map(\.name) == ["Note"])
    }

    @Test(arguments: [
        (["M.xcdatamodel/elements", "M.xcdatamodel/layout"], "M.xcdatamodel/elements", "the binary form of Xcode 3"),
        (["M.xcdatamodel/other"], "M.xcdatamodel/contents", "no file called contents"),
        ([".xccurrentversion"], ".", "the model has no version"),
    ])
    func `a model without a version that can be compiled says what to do`(
        _ paths: [String], _ path: String, _ words: String
    ) {
        let list = Array("<plist><dict/></plist>".utf8)
        let files = Dictionary(uniqueKeysWithValues: paths.map { ($0, list) })
        let error = #expect(throws: BuildError.self) { try ModelCompiler.compile(folder: files) }
        #expect(error?.path == path && error?.sentence.contains(words) == true && error?.hints.count == 1)
    }
}
