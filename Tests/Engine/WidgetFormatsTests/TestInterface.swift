import WidgetCore
import WidgetNib

@testable import WidgetFormats

/// A compiled interface, object after object.
struct TestInterface {
    private var objects: [(class: String, values: [(String, Value)])] = []

    enum Value {
        case object(Int)
        case bytes([UInt8])
        case flag(Bool)
        case whole(Int)
        case number(Double)
    }

    @discardableResult
    mutating func add(_ class: String, _ values: [(String, Value)] = []) -> Int {
        objects.append((`class`, values))
        return objects.count - 1
    }

    mutating func text(_ text: String) -> Int { add("NSString", [(NibKey.bytes, .bytes(Array(text.utf8)))]) }

    mutating func list(_ elements: [Int]) -> Int {
        add("NSArray", [(NibKey.isInlined, .flag(true))] + elements.map { (NibKey.element, .object($0)) })
    }

    /// Numbers packed as for points and rectangles.
    mutating func set(_ object: Int, _ key: String, numbers: [Double]) {
        objects[object].values.append((key, .bytes(NibElement.pack(numbers))))
    }

    mutating func set(_ object: Int, _ key: String, _ value: Value) {
        objects[object].values.append((key, value))
    }

    mutating func set(_ object: Int, _ key: String, _ value: Int) {
        objects[object].values.append((key, .object(value)))
    }

    var bytes: [UInt8] {
        var builder = NibGraphBuilder()
        for (name, values) in objects {
            builder.beginObject(builder.classIndex(name))
            for (key, value) in values {
                switch value {
                case .object(let index): builder.add(key, .object(UInt32(index)))
                case .bytes(let bytes): builder.add(key, .data(builder.store(bytes)))
                case .flag(let flag): builder.add(key, .boolean(flag))
                case .whole(let number): builder.add(key, .int64(Int64(number)))
                case .number(let number): builder.add(key, .double(number))
                }
            }
        }
        return NibArchive(builder.finish()).encode()
    }

    /// A screen with views of these classes, each under a name.
    ///
    /// - Parameter identifier: the name of the screen, and of its scheme.
    static func screen(_ identifier: String?, _ views: [(class: String, name: String)] = []) -> [UInt8] {
        var interface = TestInterface()
        let root = interface.add("NSObject")
        let view = interface.add("UIView")
        let controller = interface.add("UIViewController", [("UIView", .object(view))])
        interface.set(root, "UINibTopLevelObjectsKey", interface.list([controller]))
        if let identifier {
            let name = interface.text(identifier)
            interface.set(controller, "UIStoryboardIdentifier", name)
            interface.set(controller, "UIRestorationIdentifier", name)
        }
        let path = interface.text("wx.identifier")
        var attributes: [Int] = []
        let children = views.map { kind, name in
            let child =
                kind.hasPrefix("UI")
                ? interface.add(kind)
                : interface.add(
                    "UIClassSwapper",
                    [
                        ("UIClassName", .object(interface.text(kind))),
                        ("UIOriginalClassName", .object(interface.text("UIView"))),
                    ])
            attributes.append(
                interface.add(
                    "UINibKeyValuePair",
                    [
                        ("UIObject", .object(child)), ("UIKeyPath", .object(path)),
                        ("UIValue", .object(interface.text(name))),
                    ]
                ))
            return child
        }
        interface.set(view, "UISubviews", interface.list(children))
        interface.set(root, "UINibKeyValuePairsKey", interface.list(attributes))
        return interface.bytes
    }

    /// The interface of a row.
    ///
    /// - Parameter identifier: the row's own name.
    /// - Parameter label: the name of a label in it.
    static func row(_ identifier: String? = nil, label: String? = nil) -> [UInt8] {
        var interface = TestInterface()
        let root = interface.add("NSObject")
        let cell = interface.add("UITableViewCell")
        interface.set(root, "UINibTopLevelObjectsKey", interface.list([cell]))
        if let identifier { interface.set(cell, "UIReuseIdentifier", interface.text(identifier)) }
        if let label {
            let view = interface.add("UILabel")
            interface.set(cell, "UISubviews", interface.list([view]))
            let path = interface.text("wx.identifier")
            let name = interface.text(label)
            let pair = interface.add(
                "UINibKeyValuePair",
                [("UIObject", .object(view)), ("UIKeyPath", .object(path)), ("UIValue", .object(name))])
            interface.set(root, "UINibKeyValuePairsKey", interface.list([pair]))
        }
        return interface.bytes
    }

    /// A bundle of one storyboard.
    ///
    /// - Parameter screens: identifiers and the names of their interfaces; the first is the entry point.
    static func program(
        _ screens: [(identifier: String, nib: String)], _ files: [String: [UInt8]],
        _ limits: FormatLimits = FormatLimits()
    ) throws -> Program {
        try WidgetKitReader.program(self.files(screens, files), identifier: "test", limits: limits)
    }

    static func files(_ screens: [(identifier: String, nib: String)], _ files: [String: [UInt8]]) -> BundleFiles {
        let names = screens.map { "<key>\($0.identifier)</key><string>\($0.nib)</string>" }.joined()
        let list = """
            <plist version="1.0"><dict><key>UIViewControllerIdentifiersToNibNames</key><dict>\(names)</dict>
            <key>UIStoryboardDesignatedEntryPointIdentifier</key><string>\(screens.first?.identifier ?? "")</string></dict></plist>
            """
        var all = files
        all["Main.storyboardc/Info.plist"] = Array(list.utf8)
        return BundleFiles(all)
    }

    /// A bundle of one screen, called `Main`.
    static func program(
        _ views: [(class: String, name: String)], scheme: String, files: [String: [UInt8]] = [:]
    ) throws -> Program {
        var all = files
        all["Main.storyboardc/main.nib"] = screen("Main", views)
        all["Main.json"] = Array("{\"Main\": {\(scheme)}}".utf8)
        return try program([("Main", "main")], all)
    }
}
