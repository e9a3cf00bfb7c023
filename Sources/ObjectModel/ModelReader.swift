internal import Bytes
package import Plist

extension DataModel {
    /// Reads a compiled model, a keyed archive.
    package init(parsing bytes: [UInt8], limits: ModelLimits = ModelLimits()) throws(ModelError) {
        let archive: KeyedArchive
        do {
            archive = try KeyedArchive(parsing: bytes, limits: limits.plist)
        } catch {
            throw ModelError(.archive(error))
        }
        try self.init(archive, limits: limits)
    }

    package init(_ archive: KeyedArchive, limits: ModelLimits = ModelLimits()) throws(ModelError) {
        var reader = ModelReader(limits: limits)
        self = try reader.model(archive)
    }
}

/// Reads the objects of a model's archive. Entities and properties refer to each other in cycles; the
/// reader asks only for names across them, so nothing is followed twice.
struct ModelReader {
    let limits: ModelLimits
    private var valueCount = 0
    private var unknownKeys: Set<String> = []
    /// For each kind of object and each key: whether the reader has looked at it, and knows it.
    private var keyStates: [KeyState] = []
    /// Numbers of objects whose keys were looked at; one may be referred to from many places.
    private var noted: Set<UInt32> = []

    private enum KeyState {
        case unseen, known, unknown
    }

    init(limits: ModelLimits) {
        self.limits = limits
    }

    mutating func model(_ archive: KeyedArchive) throws(ModelError) -> DataModel {
        keyStates = Array(repeating: .unseen, count: KnownKeys.allCases.count * (archive.keyCount + 1))
        let root = try read { () throws(PlistError) in try archive.root() }
        guard root.classNames.contains("NSManagedObjectModel") else {
            throw ModelError(.notAModel(className: root.className))
        }
        note(root, except: .model)
        var model = DataModel(entities: [])
        var names: Set<String> = []
        // Elements are values of a dictionary by name, or, in the oldest models, of a list.
        for object in try elements(root, "NSEntities") {
            let entity = try entity(object)
            guard names.insert(entity.name).inserted else { throw ModelError(.duplicateEntity(entity.name)) }
            model.entities.append(entity)
        }
        try checkInheritance(of: model)
        for (name, object) in try entries(root, "NSFetchRequestTemplates") {
            model.fetchRequests.append(FetchRequestTemplate(name: name, request: try fetchRequest(object)))
        }
        for (name, object) in try entries(root, "NSConfigurations") {
            var entityNames: [String] = []
            for entity in try elements(object) {
                if let name = try self.name(of: entity, "NSEntityName") { entityNames.append(name) }
            }
            model.configurations.append(Configuration(name: name, entityNames: entityNames))
        }
        model.versionIdentifiers = try elements(root, "NSVersionIdentifiers").compactMap(\.scalar?.string)
        model.unknownKeys = unknownKeys.sorted()
        return model
    }

    private func checkInheritance(of model: DataModel) throws(ModelError) {
        var parents: [String: String] = [:]
        for entity in model.entities { parents[entity.name] = entity.superentity }
        let names = Set(model.entities.map(\.name))
        // How long the way to an entity without a parent is, for those that are known to have one.
        var finished: Set<String> = []
        for entity in model.entities {
            if let parent = entity.superentity, !names.contains(parent) {
                throw ModelError(.unknownSuperentity(parent, entity: entity.name))
            }
            var way: Set<String> = []
            var next: String? = entity.name
            while let name = next, !finished.contains(name) {
                guard way.insert(name).inserted else { throw ModelError(.inheritanceCycle(name)) }
                next = parents[name]
            }
            finished.formUnion(way)
        }
    }
}

// MARK: - Values

extension ModelReader {
    func read<T>(_ body: () throws(PlistError) -> T) throws(ModelError) -> T {
        do { return try body() } catch { throw ModelError(.archive(error)) }
    }

    func string(_ object: KeyedObject, _ key: String) throws(ModelError) -> String? {
        try read { () throws(PlistError) in try object.string(key) }
    }

    /// Text as it stands, or what an object calls itself.
    func name(of object: KeyedObject, _ key: String) throws(ModelError) -> String? {
        if let text = object.scalar?.string { return text }
        return try string(object, key)
    }

    /// What an object behind a key calls itself.
    func name(behind key: String, _ nameKey: String, of owner: KeyedObject) throws(ModelError) -> String? {
        guard let object = try object(owner, key) else { return nil }
        return try string(object, nameKey)
    }

    func integer(_ object: KeyedObject, _ key: String) throws(ModelError) -> Int64? {
        try read { () throws(PlistError) in try object.integer(key) }
    }

    func flag(_ object: KeyedObject, _ key: String, orElse other: Bool = false) throws(ModelError) -> Bool {
        let flag = try read { () throws(PlistError) in try object.boolean(key) }
        return flag ?? other
    }

    func object(_ object: KeyedObject, _ key: String) throws(ModelError) -> KeyedObject? {
        try read { () throws(PlistError) in try object.object(key) }
    }

    mutating func elements(_ collection: KeyedObject) throws(ModelError) -> [KeyedObject] {
        try spend(collection)
        return try read { () throws(PlistError) in try collection.elements() }
    }

    mutating func elements(_ owner: KeyedObject, _ key: String) throws(ModelError) -> [KeyedObject] {
        guard let collection = try object(owner, key) else { return [] }
        return try elements(collection)
    }

    mutating func entries(_ owner: KeyedObject, _ key: String) throws(ModelError) -> [(key: String, value: KeyedObject)]
    {
        guard let collection = try object(owner, key) else { return [] }
        try spend(collection)
        return try read { () throws(PlistError) in try collection.namedEntries() }
    }

    /// Counts a collection before it is walked: one collection can be referred to by many objects.
    private mutating func spend(_ collection: KeyedObject) throws(ModelError) {
        try spend(1 + collection.count)
    }

    mutating func spend(_ count: Int) throws(ModelError) {
        valueCount += count
        guard valueCount <= limits.valueCount else { throw ModelError(.tooManyValues(limit: limits.valueCount)) }
    }

    /// Remembers keys that no one asks for.
    mutating func note(_ object: KeyedObject, except known: KnownKeys) {
        guard noted.insert(object.number).inserted else { return }
        for number in object.keyNumbers {
            let place = known.rawValue * (object.archive.keyCount + 1) + Int(number)
            if keyStates[place] == .known { continue }
            let key = object.archive.key(number)
            keyStates[place] = known.keys.contains(key) ? .known : .unknown
            guard keyStates[place] == .unknown, let className = object.className else { continue }
            note("\(ShownText.name(className)).\(ShownText.name(key))")
        }
    }

    /// The notes are for people, so a few are as good as all.
    mutating func note(_ text: String) {
        if unknownKeys.count < 256 { unknownKeys.insert(text) }
    }

    mutating func userInfo(_ owner: KeyedObject) throws(ModelError) -> [UserInfoEntry] {
        var result: [UserInfoEntry] = []
        guard let collection = try object(owner, "NSUserInfo") else { return [] }
        try spend(collection)
        for (key, value) in try read({ () throws(PlistError) in try collection.entries() }) {
            if let name = key.scalar?.string, let scalar = value.scalar {
                result.append(UserInfoEntry(key: name, value: scalar))
            } else {
                note("NSUserInfo.\(ShownText.name(key.scalar?.string ?? "a key that is no text"))")
            }
        }
        return result
    }
}
