internal import WidgetBytes
package import WidgetObjectModel
internal import WidgetPlist
internal import XMLText

/// Compiles data models in Xcode's format: folders of XML into folders of archives.
package enum ModelCompiler {
    /// Compiles a `.xcdatamodeld` folder, given its files by their paths in it. Errors name those paths; the first is
    /// thrown.
    package static func compile(folder files: [String: [UInt8]]) throws(BuildError) -> [ModelFolder.File] {
        let errors = BuildErrors()
        let compiled = compile(folder: files, recording: errors)
        if let first = errors.found.first { throw first }
        return compiled
    }

    /// Compiles a folder and records all its errors. When there are any, the files returned are of no use.
    static func compile(folder files: [String: [UInt8]], recording errors: BuildErrors) -> [ModelFolder.File] {
        do throws(BuildError) {
            return try folder(files, errors)
        } catch {
            errors.note(error)
            return []
        }
    }

    /// Compiles a `.xcdatamodel` folder, a model without versions, and records all its errors.
    ///
    /// - Parameter name: the folder's name.
    static func compile(
        version files: [String: [UInt8]], named name: String, recording errors: BuildErrors
    ) -> [ModelFolder.File] {
        do throws(BuildError) {
            guard let source = files[contents] else { throw missingContents(files, in: "") }
            let model = try compile(source, path: contents, errors)
            return [ModelFolder.File(name: "\(name.dropLast(ending.count)).mom", bytes: model.encoded())]
        } catch {
            errors.note(error)
            return []
        }
    }

    private static func folder(
        _ files: [String: [UInt8]], _ errors: BuildErrors
    ) throws(BuildError) -> [ModelFolder.File] {
        var versions: [ModelFolder.Version] = []
        for path in files.keys.sorted() {
            guard let name = versionName(path), let source = files[path] else { continue }
            do throws(BuildError) {
                let model = try compile(source, path: path, errors)
                versions.append(ModelFolder.Version(name: name, model: model, entityHashes: model.entityHashes()))
            } catch { try errors.record(error) }
        }
        let current = try currentName(files)
        guard errors.isEmpty else { return [] }
        guard let first = versions.first else { throw noVersion(files) }
        guard let current = current ?? (versions.count == 1 ? first.name : nil) else {
            throw BuildError(
                "nothing says which of \(versions.count) versions is current", path: currentFile,
                hints: ["Xcode writes the file .xccurrentversion when the version is chosen there"])
        }
        guard versions.contains(where: { $0.name == current }) else {
            throw BuildError("the current version \(ShownText.name(current)) does not exist", path: currentFile)
        }
        return ModelFolder(versions: versions, currentName: current).encoded()
    }

    private static func noVersion(_ files: [String: [UInt8]]) -> BuildError {
        // A version is a folder; one without its file may have files of older editors.
        for path in files.keys.sorted() {
            let parts = path.split(separator: "/")
            guard parts.count == 2, parts[0].hasSuffix(ending) else { continue }
            return missingContents(files, in: "\(parts[0])/")
        }
        return BuildError(
            "the model has no version", path: ".",
            hints: ["a version is a folder called NAME.xcdatamodel with a file called contents"])
    }

    /// - Parameter folder: the path of the version's folder, with a slash at its end.
    private static func missingContents(_ files: [String: [UInt8]], in folder: String) -> BuildError {
        guard files["\(folder)elements"] != nil || files["\(folder)layout"] != nil else {
            return BuildError(
                "the version has no file called contents", path: "\(folder)\(contents)",
                hints: ["Xcode writes it when the model is saved; an empty version can be removed"])
        }
        return BuildError(
            "the model has the binary form of Xcode 3, which cannot be compiled", path: "\(folder)elements",
            hints: ["a newer Xcode writes the file contents when the model is changed there and saved"])
    }

    /// Compiles the file `contents` of one version. The first of its errors is thrown.
    package static func compile(_ source: [UInt8], path: String) throws(BuildError) -> DataModel {
        let errors = BuildErrors()
        let model = try compile(source, path: path, errors)
        if let first = errors.found.first { throw first }
        return model
    }

    private static func compile(
        _ source: [UInt8], path: String, _ errors: BuildErrors
    ) throws(BuildError) -> DataModel {
        let document: XMLDocument
        do {
            document = try XMLDocument(parsing: source)
        } catch {
            throw BuildError("\(error.reason)", path: path, at: error.position)
        }
        return try ModelSource(document.root, path: path, errors: errors).model()
    }

    private static let currentFile = ".xccurrentversion"
    private static let contents = "contents"
    private static let ending = ".xcdatamodel"

    private static func versionName(_ path: String) -> String? {
        let parts = path.split(separator: "/")
        guard parts.count == 2, parts[1] == "contents", parts[0].hasSuffix(".xcdatamodel") else { return nil }
        return String(parts[0].dropLast(".xcdatamodel".count))
    }

    /// Returns `nil` if nothing is chosen: the file is missing, or names no version.
    private static func currentName(_ files: [String: [UInt8]]) throws(BuildError) -> String? {
        guard let bytes = files[currentFile] else { return nil }
        let name: String?
        do {
            name = try PlistValue(parsing: bytes)["_XCCurrentVersionName"]?.string
        } catch {
            throw BuildError("\(error.reason)", path: currentFile, at: error.position)
        }
        guard let name, !name.isEmpty else { return nil }
        guard name.hasSuffix(ending) else {
            throw BuildError("\(ShownText.name(name)) is not the name of a version", path: currentFile)
        }
        return String(name.dropLast(".xcdatamodel".count))
    }
}

/// Checks whether the parts of a model fit together.
struct ModelCheck {
    private let model: DataModel
    private let source: ModelSource
    private let root: XMLElement
    private let entities: [XMLElement]
    private let inheritance: Inheritance

    init(model: DataModel, source: ModelSource, root: XMLElement) {
        (self.model, self.source, self.root) = (model, source, root)
        entities = root.children(named: "entity")
        inheritance = Inheritance(model)
    }

    func check() throws(BuildError) {
        var names: Set<String> = []
        for (entity, element) in zip(model.entities, entities) where !names.insert(entity.name).inserted {
            throw error("the entity \(ShownText.name(entity.name)) occurs twice", element)
        }
        let properties = propertyErrors()
        let inverses = inheritance.inverses(in: model)
        for (place, element) in zip(model.entities.indices, entities) {
            try checkParent(of: place, element)
            if let error = properties[place] { throw error }
            try checkRelationships(of: place, element, inverses[place])
        }
        for request in model.fetchRequests {
            try checkExists(request.request.entityName, in: root)
        }
        for configuration in model.configurations {
            for name in configuration.entityNames { try checkExists(name, in: root) }
        }
    }

    private func error(_ sentence: String, _ element: XMLElement) -> BuildError {
        BuildError(sentence, path: source.path, at: element.position)
    }

    private func checkExists(_ name: String?, in element: XMLElement) throws(BuildError) {
        guard let name, inheritance.places[name] == nil else { return }
        throw error("there is no entity \(ShownText.name(name))", element)
    }

    private func checkParent(of place: Int, _ element: XMLElement) throws(BuildError) {
        let entity = model.entities[place]
        try checkExists(entity.superentity, in: element)
        guard inheritance.isFinite(place) else {
            throw error("the entity \(ShownText.name(entity.name)) inherits from itself", element)
        }
    }

    /// Returns the first fault in the properties of each entity, by its place.
    private func propertyErrors() -> [Int: BuildError] {
        var errors: [Int: BuildError] = [:]
        // The number of occurrences of each name among the ancestors of the entity that was entered last.
        var inherited: [String: Int] = [:]
        func heritable(_ place: Int) -> [String] {
            model.entities[place].attributes.map(\.name) + model.entities[place].relationships.map(\.name)
        }
        inheritance.walk { place in
            if place < entities.count {
                errors[place] = propertyError(of: model.entities[place], entities[place]) {
                    inherited[$0, default: 0] > 0
                }
            }
            for name in heritable(place) { inherited[name, default: 0] += 1 }
        } leave: { place in
            for name in heritable(place) { inherited[name, default: 0] -= 1 }
        }
        return errors
    }

    private func propertyError(
        of entity: Entity, _ element: XMLElement, _ isInherited: (String) -> Bool
    ) -> BuildError? {
        var names: Set<String> = []
        for property in element.children where ["attribute", "relationship", "fetchedProperty"].contains(property.name)
        {
            let name = property["name"] ?? ""
            guard !isInherited(name), names.insert(name).inserted else {
                return error(
                    "\(ShownText.name(entity.name)) has the property \(ShownText.name(name)) twice, or inherits it",
                    property)
            }
        }
        for name in entity.indexes.flatMap({ $0.elements.map(\.propertyName) })
            + entity.uniquenessConstraints.flatMap({ $0 }) where !names.contains(name) && !isInherited(name)
        {
            return error("\(ShownText.name(entity.name)) has no property \(ShownText.name(name))", element)
        }
        return nil
    }

    private func checkRelationships(
        of place: Int, _ element: XMLElement, _ inverses: [Inheritance.RelationshipPlace?]
    ) throws(BuildError) {
        let sources = element.children(named: "relationship")
        for ((relationship, inverse), source) in zip(zip(model.entities[place].relationships, inverses), sources) {
            try checkExists(relationship.destination, in: source)
            guard let name = relationship.inverse else { continue }
            guard let inverse else {
                // The properties of an entity that inherits from itself are unknown; the error is reported at that
                // entity.
                if let destination = inheritance.places[relationship.destination], !inheritance.isFinite(destination) {
                    continue
                }
                throw error(
                    "\(ShownText.name(relationship.destination)) has no relationship \(ShownText.name(name))", source)
            }
            let back = model.entities[inverse.entity].relationships[inverse.relationship]
            guard back.inverse == relationship.name, let end = inheritance.places[back.destination],
                inheritance.isOrInherits(place, from: end)
            else {
                throw error(
                    "\(ShownText.name(name)) of \(ShownText.name(relationship.destination)) does not lead back here",
                    source)
            }
        }
    }
}
