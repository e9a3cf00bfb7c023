import WidgetBuild
import WidgetCore
import WidgetFiles
import WidgetFormats
import WidgetNib

/// A bundle of ours with one interface changed: values, references, keys and classes that no compiler puts there.
enum HostileInterface {
    /// Keys whose values decide how elements lie and look.
    private static let keys = [
        "UIFrame", "UIBounds", "UICenter", "UIAutoresizingMask",
        "UIViewDoesNotTranslateAutoresizingMaskIntoConstraints",
        "NSFirstItem", "NSSecondItem", "NSFirstAttribute", "NSSecondAttribute", "NSFirstAttributeV2",
        "NSSecondAttributeV2",
        "NSRelation", "NSConstant", "NSMultiplier", "NSPriority", "NSSymbolicConstant", "UIViewContentHuggingPriority",
        "UIViewContentCompressionResistancePriority", "UIFont", "UITextColor", "UIBackgroundColor", "UITintColor",
        "UIAlpha",
        "UINumberOfLines", "UITextAlignment", "UILineBreakMode", "UIContentMode", "UIRowHeight",
        "UISectionHeaderHeight",
        "UIStackViewAxis", "UIStackViewSpacing", "UIStackViewDistribution", "UIStackViewAlignment", "UISubviews",
        "UIHidden",
        "UIRed", "UIGreen", "UIBlue", "UIColorComponentCount", "UISystemColorName", "UIFontName", "UIFontPointSize",
        "UIFontTraits", "UIText", "UIPlaceholder", "UIButtonStatefulContent", "UIContentInsets",
        "UIScrollViewContentInset",
    ]

    /// - Returns: `nil` where an input is refused.
    static func program(_ choices: inout Choices) -> Program? {
        var files = choices.pick(bundles)
        let paths = files.keys.filter { $0.hasSuffix(".nib") }.sorted()
        let path = choices.pick(paths)
        guard let bytes = files[path], let document = try? NibDocument(parsing: bytes) else {
            preconditionFailure("\(path) cannot be read")
        }
        files[path] = NibArchive(changed(document.graph, &choices)).encode()
        return program(files)
    }

    /// A program whose interfaces are all the bytes of an input.
    static func program(of bytes: [UInt8]) -> Program? {
        guard var files = bundles.first else { return nil }
        for path in files.keys where path.hasSuffix(".nib") { files[path] = bytes }
        return program(files)
    }

    private static func program(_ files: [String: [UInt8]]) -> Program? {
        do {
            return try WidgetKitReader.program(BundleFiles(files, images: [:]), identifier: "fuzz")
        } catch {
            precondition(!"\(error)".isEmpty, "a refusal says nothing")
            return nil
        }
    }

    private static let bundles: [[String: [UInt8]]] = ["HarbourLog", "Planetarium", "Postcard"].map { name in
        guard let folder = try? Directory(opening: "Bundles/\(name)"), let sources = try? SourceFolder.read(folder),
            let compiled = try? BundleCompiler(sources, folder: name)
        else { preconditionFailure("fuzzing begins at the repository's top") }
        return Dictionary(compiled.files.map { ($0.path, $0.bytes) }) { first, _ in first }
    }

    private static func changed(_ graph: NibGraph, _ choices: inout Choices) -> NibGraph {
        let count = 1 + choices.roll(12)
        let changed = Set((0..<count).map { _ in choices.roll(max(graph.values.count, 1)) })
        let others = Set((0..<choices.roll(3)).map { _ in choices.roll(graph.objects.count) })
        var builder = NibGraphBuilder()
        for (place, object) in graph.objects.enumerated() {
            let name = graph.className(of: others.contains(place) ? choices.roll(graph.objects.count) : place)
            builder.beginObject(builder.classIndex(name))
            for index in object.values {
                let value = graph.values[index]
                let key = graph.keys[Int(value.key)]
                guard changed.contains(index) else {
                    builder.add(key, copy(value.content, graph, &builder))
                    continue
                }
                switch choices.roll(5) {
                case 0: builder.add(choices.pick(keys), copy(value.content, graph, &builder))
                case 1: continue
                case 2: builder.add(key, content(graph, &builder, &choices))
                default: builder.add(key, neighbour(of: value.content, graph, &builder, &choices))
                }
            }
            if choices.roll(graph.objects.count) < 2 {
                builder.add(choices.pick(keys), content(graph, &builder, &choices))
            }
        }
        return builder.finish(root: graph.root)
    }

    private static func copy(_ content: NibContent, _ graph: NibGraph, _ builder: inout NibGraphBuilder) -> NibContent {
        guard case .data(let data) = content else { return content }
        return .data(builder.store(graph.bytes(of: data)))
    }

    /// A value of any type.
    private static func content(
        _ graph: NibGraph, _ builder: inout NibGraphBuilder, _ choices: inout Choices
    ) -> NibContent {
        switch choices.roll(6) {
        case 0: .double(choices.length())
        case 1: .float(Float(choices.length()))
        case 2: .int64(choices.pick([0, 1, -1, .max, .min, 1 << 40]))
        case 3: .boolean(choices.chance(2))
        case 4: .data(builder.store(Array(choices.text().utf8)))
        default: .object(UInt32(choices.roll(graph.objects.count)))
        }
    }

    /// Another value of the same type.
    private static func neighbour(
        of content: NibContent, _ graph: NibGraph, _ builder: inout NibGraphBuilder, _ choices: inout Choices
    ) -> NibContent {
        switch content {
        case .int8: return .int8(Int8(choices.roll(256) - 128))
        case .int16: return .int16(Int16(choices.roll(65_536) - 32_768))
        case .int32: return .int32(choices.pick([0, 1, -1, 999, .max, .min]))
        case .int64: return .int64(choices.pick([0, 1, -1, 999, .max, .min]))
        case .boolean(let isTrue): return .boolean(!isTrue)
        case .float: return .float(Float(choices.length()))
        case .double: return .double(choices.length())
        case .null, .object: return .object(UInt32(choices.roll(graph.objects.count)))
        case .data(let data):
            var bytes = Array(graph.bytes(of: data))
            guard !bytes.isEmpty, choices.chance(2) else { return .data(builder.store(Array(choices.text().utf8))) }
            for _ in 0..<1 + choices.roll(8) { bytes[choices.roll(bytes.count)] = UInt8(choices.roll(256)) }
            return .data(builder.store(bytes))
        }
    }
}
