import Testing
import WidgetObjectModel
import WidgetPlist
import WidgetTestSupport

@Suite struct `A hostile model` {
    /// Makes an archive of these fields for the model itself, and of the objects that the body adds.
    private func archive(
        _ body: (inout KeyedArchiveBuilder) -> [(String, PlistValue)]
    ) -> [UInt8] {
        var builder = KeyedArchiveBuilder()
        let fields = body(&builder)
        let root = builder.add(["NSManagedObjectModel", "NSObject"], fields)
        return builder.encoded(top: [("root", root)])
    }

    private func refusal(_ bytes: [UInt8]) -> ModelError.Reason? {
        do throws(ModelError) {
            _ = try DataModel(parsing: bytes)
            return nil
        } catch {
            return error.reason
        }
    }

    private let entityClass = ["NSEntityDescription", "NSObject"]

    @Test func `an entity that inherits from itself is refused`() {
        let bytes = archive { builder in
            let numbers = [builder.reserve(), builder.reserve()]
            for (number, name) in zip(numbers, ["A", "B"]) {
                let parent = number == numbers[0] ? numbers[1] : numbers[0]
                builder.define(
                    number, entityClass, [("NSEntityName", builder.add(name)), ("NSSuperentity", .uid(parent))])
            }
            return [("NSEntities", builder.add(dictionary: [("A", .uid(numbers[0])), ("B", .uid(numbers[1]))]))]
        }
        #expect(refusal(bytes) == .inheritanceCycle("A"))
    }

    @Test func `a model with one entity under two names is refused`() {
        let bytes = archive { builder in
            let entity = builder.add(entityClass, [("NSEntityName", builder.add("A"))])
            return [("NSEntities", builder.add(dictionary: [("A", entity), ("B", entity)]))]
        }
        #expect(refusal(bytes) == .duplicateEntity("A"))
    }

    @Test func `an entity that inherits from one outside the model is refused`() {
        let bytes = archive { builder in
            let parent = builder.add(entityClass, [("NSEntityName", builder.add("Parent"))])
            let entity = builder.add(entityClass, [("NSEntityName", builder.add("A")), ("NSSuperentity", parent)])
            return [("NSEntities", builder.add(dictionary: [("A", entity)]))]
        }
        #expect(refusal(bytes) == .unknownSuperentity("Parent", entity: "A"))
    }

    @Test func `a model whose collections are shared everywhere is refused before it unfolds`() {
        let bytes = archive { builder in
            let information = builder.add(dictionary: (0..<1_000).map { ("\($0)", builder.add(.string("v"))) })
            let properties = (0..<1_000).map { number in
                let name = builder.add(.string("p\(number)"))
                let fields = [
                    ("NSPropertyName", name), ("NSAttributeType", PlistValue.integer(700)), ("NSUserInfo", information),
                ]
                return ("p\(number)", builder.add(["NSAttributeDescription", "NSObject"], fields))
            }
            let fields = [("NSEntityName", builder.add("A")), ("NSProperties", builder.add(dictionary: properties))]
            return [("NSEntities", builder.add(dictionary: [("A", builder.add(entityClass, fields))]))]
        }
        #expect(refusal(bytes) == .tooManyValues(limit: 100_000))
    }

    @Test func `a model with more properties than any application has is refused`() throws {
        func model(_ count: Int) -> [UInt8] {
            var entity = Entity(name: "E")
            entity.attributes = (0..<count).map { Attribute(name: "a\($0)", type: .string) }
            return DataModel(entities: [entity]).encoded()
        }
        #expect(try DataModel(parsing: model(6_000)).entities.first?.attributes.count == 6_000)
        #expect(refusal(model(8_000)) == .tooManyValues(limit: 100_000))
    }

    @Test func `a predicate that contains itself is refused`() {
        let bytes = archive { builder in
            let predicate = builder.reserve()
            builder.define(
                predicate, ["NSCompoundPredicate", "NSPredicate", "NSObject"],
                [
                    ("NSCompoundPredicateType", .integer(1)),
                    ("NSSubpredicates", builder.add(array: [.uid(predicate), .uid(predicate)])),
                ])
            let request = builder.add(["NSFetchRequest", "NSObject"], [("NSPredicate", .uid(predicate))])
            return [("NSFetchRequestTemplates", builder.add(dictionary: [("all", request)]))]
        }
        #expect(refusal(bytes) == .predicateTooLarge)
    }

    @Test func `an archive of another class is refused`() {
        var builder = KeyedArchiveBuilder()
        let root = builder.add(array: [])
        #expect(refusal(builder.encoded(top: [("root", root)])) == .notAModel(className: "NSArray"))
        #expect(refusal(builder.encoded(top: [("root", KeyedArchiveBuilder.null)])) == .notAModel(className: nil))
        guard case .archive? = refusal(Array("bplist00".utf8)) else {
            Issue.record("a cut archive was accepted")
            return
        }
    }

    @Test func `a model that is cut off or changed is refused or read quickly`() throws {
        let good = SampleModel.small().encoded()
        for count in good.indices { #expect(refusal(Array(good[..<count])) != nil) }
        var slowest = Duration.zero
        for index in good.indices {
            for value in [0x00, 0x7F, 0xFF, good[index] ^ 1] as [UInt8] {
                var bytes = good
                bytes[index] = value
                // The model is read or refused, and then described.
                slowest = max(slowest, ProcessorTime.spent { _ = refusal(bytes).map { "\($0)" } })
            }
        }
        #expect(slowest < .milliseconds(500), "slowest: \(slowest)")
    }
}

/// Small files that would take long if their shared parts were visited for each reference.
@Suite struct `A hostile model that shares` {
    private static let limit = Duration.seconds(2)

    private func time(_ bytes: [UInt8]) -> Duration {
        ProcessorTime.spent { _ = try? DataModel(parsing: bytes) }
    }

    @Test func `an object with many keys that many places share is read quickly`() {
        var builder = KeyedArchiveBuilder()
        let keys = (0..<20_000).map { ("key\($0)", PlistValue.boolean(true)) }
        let element = builder.add(["NSFetchIndexElementDescription", "NSObject"], keys)
        let elements = builder.add(array: Array(repeating: element, count: 20_000))
        let index = builder.add(["NSFetchIndexDescription", "NSObject"], [("NSIndexElements", elements)])
        let entity = builder.add(
            ["NSEntityDescription", "NSObject"],
            [("NSEntityName", builder.add("E")), ("NSFetchIndexDescriptions", builder.add(array: [index]))])
        let root = builder.add(
            ["NSManagedObjectModel", "NSObject"], [("NSEntities", builder.add(dictionary: [("E", entity)]))])
        #expect(time(builder.encoded(top: [("root", root)])) < Self.limit)
    }

    @Test func `a list of ancestors that many classes share is read quickly`() {
        // Every object has a description of its class, and all descriptions share one list.
        let names = PlistForge.array((0..<20_000).map { _ in 10 }, size: 3)
        var objects: [[UInt8]] = [
            PlistForge.dictionary(keys: [1, 2, 3], values: [4, 5, 6], size: 3), PlistForge.ascii("$archiver"),
            PlistForge.ascii("$objects"), PlistForge.ascii("$top"), PlistForge.ascii("NSKeyedArchiver"), [],
            PlistForge.dictionary(keys: [], values: [], size: 3), PlistForge.ascii("$class"),
            PlistForge.ascii("$classes"), names, PlistForge.ascii("NSObject"),
        ]
        var archived: [UInt64] = []
        for number in 0..<10_000 {
            let start = UInt64(objects.count)
            archived += [start, start + 2]
            objects.append(PlistForge.dictionary(keys: [7], values: [start + 1], size: 3))
            objects.append(PlistForge.uid(UInt64(number * 2 + 1), size: 4))
            objects.append(PlistForge.dictionary(keys: [8], values: [9], size: 3))
        }
        objects[5] = PlistForge.array(archived, size: 3)
        let forge = PlistForge(objects: objects).with {
            $0.referenceSize = 3
            $0.offsetSize = 4
        }
        #expect(time(forge.bytes) < Self.limit)
    }
}
