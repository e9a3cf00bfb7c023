import ObjectModel
import Plist
import TestSupport
import Testing

@Suite struct `A compiled model` {
    @Test func `keeps everything it can say`() throws {
        let model = SampleModel.everything()
        let read = try DataModel(parsing: model.encoded())
        #expect(read.unknownKeys == [])
        #expect(read.entities.map(\.name) == model.entities.map(\.name))
        for (one, other) in zip(read.entities, model.entities) {
            for (one, other) in zip(one.attributes, other.attributes) { #expect(one == other) }
            #expect(one == other)
        }
        #expect(read == model)
    }

    @Test func `is the same bytes every time`() {
        #expect(SampleModel.everything().encoded() == SampleModel.everything().encoded())
    }

    @Test func `has hashes that change with what is stored, and with nothing else`() {
        var model = SampleModel.everything()
        let before = model.entityHashes()
        model.entities[0].userInfo = []
        #expect(model.entityHashes() == before)
        model.entities[0].attributes[2].type = .integer64
        let after = model.entityHashes()
        #expect(after[0] != before[0])
        // Employee inherits the attribute; Place has nothing to do with it.
        #expect(after[1] != before[1])
        #expect(after[2] == before[2])
    }

    @Test func `comes in several versions, of which one is current`() throws {
        let (old, new) = (DataModel(entities: [Entity(name: "A")]), SampleModel.everything())
        let folder = ModelFolder(
            versions: [
                .init(name: "Model", model: old, entityHashes: old.entityHashes()),
                .init(name: "Model 2", model: new, entityHashes: new.entityHashes()),
            ], currentName: "Model 2")
        let files = folder.encoded()
        #expect(files.map(\.name) == ["Model.mom", "Model 2.mom", "VersionInfo.plist"])
        let read = try ModelFolder(reading: files)
        #expect(read.current == folder.current)
        #expect(read.versions.map(\.name) == ["Model", "Model 2"])

        let models = Array(files.dropLast())
        let unclear = #expect(throws: ModelError.self) { try ModelFolder(reading: models) }
        #expect(unclear?.reason == .noCurrentVersion(names: ["Model", "Model 2"]))
        let missing = #expect(throws: ModelError.self) { try ModelFolder(reading: [files[0], files[2]]) }
        #expect(missing?.reason == .missingVersion("Model 2"))
        let none = #expect(throws: ModelError.self) { try ModelFolder(reading: [files[2]]) }
        #expect(none?.reason == .noVersion)
        #expect(try ModelFolder(reading: [files[0]]).currentName == "Model")
    }

    @Test func `keeps decimal numbers exactly`() throws {
        for text in ["0", "1", "-0.001", "340282366920938463463374607431768211455", "12.50"] {
            var entity = Entity(name: "E")
            var attribute = Attribute(name: "a", type: .decimal)
            attribute.defaultValue = .string(text)
            entity.attributes = [attribute]
            let read = try DataModel(parsing: DataModel(entities: [entity]).encoded())
            #expect(read.entities[0].attributes[0].defaultValue == .string(text))
        }
    }
}
