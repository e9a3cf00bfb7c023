internal import WidgetNib

/// An interface under construction: its objects can refer to others that do not exist yet.
///
/// Objects are numbered when they are first mentioned and written in the order in which the root reaches them, so the
/// same source gives the same bytes.
struct DraftNib {
    enum Value {
        case content(NibContent)
        case bytes([UInt8])
        case object(Int)
    }

    struct Object {
        var className: String
        var fallbacks: [String] = []
        var values: [(key: String, value: Value)] = []
    }

    private(set) var objects: [Object] = []
    private var texts: [String: Int] = [:]
    private var shared: [String: Int] = [:]

    mutating func add(_ className: String, fallbacks: [String] = []) -> Int {
        objects.append(Object(className: className, fallbacks: fallbacks))
        return objects.count - 1
    }

    mutating func setClass(_ className: String, fallbacks: [String] = [], of object: Int) {
        objects[object].className = className
        objects[object].fallbacks = fallbacks
    }

    mutating func set(_ key: String, _ value: Value, of object: Int) {
        objects[object].values.append((key, value))
    }

    mutating func set(_ key: String, _ flag: Bool, of object: Int) { set(key, .content(.boolean(flag)), of: object) }

    mutating func set(_ key: String, text: String, of object: Int) { set(key, .object(self.text(text)), of: object) }

    mutating func set(_ key: String, integer: Int, of object: Int) {
        set(key, .content(DraftNib.smallest(integer)), of: object)
    }

    mutating func set(_ key: String, numbers: [Double], of object: Int) {
        set(key, .bytes(NibElement.pack(numbers)), of: object)
    }

    /// Returns the number in the narrowest type that holds it, as Xcode chooses it.
    static func smallest(_ number: Int) -> NibContent {
        if let value = Int8(exactly: number) { return .int8(value) }
        if let value = Int16(exactly: number) { return .int16(value) }
        if let value = Int32(exactly: number) { return .int32(value) }
        return .int64(Int64(number))
    }

    /// Adds a text; equal texts are one object.
    mutating func text(_ text: String) -> Int {
        if let known = texts[text] { return known }
        let object = add("NSString")
        set(NibKey.bytes, .bytes(Array(text.utf8)), of: object)
        texts[text] = object
        return object
    }

    /// Adds a text that a file of translations may replace.
    mutating func translatable(_ text: String, key: String) -> Int {
        let object = add("NSLocalizableString")
        set(NibKey.bytes, .bytes(Array(text.utf8)), of: object)
        set("NSKey", text: key, of: object)
        set("NSDev", text: text, of: object)
        return object
    }

    mutating func integer(_ number: Int) -> Int {
        sharing("integer \(number)") { draft in
            let object = draft.add("NSNumber")
            draft.set("NS.intval", integer: number, of: object)
            return object
        }
    }

    mutating func number(_ number: Double) -> Int {
        sharing("number \(number)") { draft in
            let object = draft.add("NSNumber")
            draft.set("NS.dblval", .content(.double(number)), of: object)
            return object
        }
    }

    mutating func truth(_ flag: Bool) -> Int {
        sharing("truth \(flag)") { draft in
            let object = draft.add("NSNumber")
            draft.set("NS.boolval", flag, of: object)
            return object
        }
    }

    /// Returns the one object for everything with the same description, and makes it first if it is new.
    mutating func sharing(_ words: String, _ make: (inout DraftNib) -> Int) -> Int {
        if let known = shared[words] { return known }
        let object = make(&self)
        shared[words] = object
        return object
    }

    mutating func list(_ elements: [Int], _ className: String = "NSArray") -> Int {
        let object = add(className)
        set(NibKey.isInlined, true, of: object)
        for element in elements { set(NibKey.element, .object(element), of: object) }
        return object
    }

    mutating func dictionary(_ pairs: [(Int, Int)], _ className: String = "NSDictionary") -> Int {
        list(pairs.flatMap { [$0.0, $0.1] }, className)
    }

    /// Returns the file, written from its root.
    func encoded(root: Int) -> [UInt8] {
        var order = [root]
        var numbers: [Int: UInt32] = [root: 0]
        var next = 0
        while next < order.count {
            for (_, value) in objects[order[next]].values {
                guard case .object(let object) = value, numbers[object] == nil else { continue }
                numbers[object] = UInt32(order.count)
                order.append(object)
            }
            next += 1
        }
        var builder = NibGraphBuilder()
        for index in order {
            let object = objects[index]
            builder.beginObject(builder.classIndex(object.className, fallbacks: object.fallbacks))
            for (key, value) in object.values {
                switch value {
                case .content(let content): builder.add(key, content)
                case .bytes(let bytes): builder.add(key, .data(builder.store(bytes)))
                case .object(let target): builder.add(key, numbers[target].map { .object($0) } ?? .null)
                }
            }
        }
        return NibArchive(builder.finish()).encode()
    }
}
