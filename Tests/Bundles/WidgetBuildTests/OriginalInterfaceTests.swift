import Foundation
import Testing
import WidgetBuild
import WidgetNib
import WidgetTestSupport

/// Goal: what this compiler makes of the framework's sample differs from what Xcode made of it in defaults only. Method:
/// both nibs of each name are compared by class and key; each kind of difference has a row with its reason.
@Suite(.enabled(if: Samples.originalsExist, "needs the original samples"))
struct `The demo's interfaces, built from source` {
    /// Objects of each class, and the keys that any of them has.
    private struct Shape {
        var counts: [String: Int] = [:]
        var keys: [String: Set<String>] = [:]
        /// Numbers and flags in the nib's own types, by "Class.key".
        var numbers: [String: [String]] = [:]

        /// A number with its type; neither texts and data nor references to other objects.
        private static func number(_ content: NibContent) -> String? {
            switch content {
            case .data, .object, .null: nil
            default: "\(content)"
            }
        }

        init(_ bytes: [UInt8]) throws {
            var pending = [try NibDocument(parsing: bytes).graph]
            // Cells are interfaces inside their table.
            while let graph = pending.popLast() {
                for index in graph.objects.indices {
                    let name = graph.className(of: index)
                    counts[name, default: 0] += 1
                    for value in graph.values(of: index) {
                        let key = graph.keys[Int(value.key)]
                        keys[name, default: []].insert(key)
                        if let number = Self.number(value.content) {
                            numbers["\(name).\(key)", default: []].append(number)
                        }
                    }
                    guard name == "UITableView" else { continue }
                    pending += try NibPrototype.prototypes(of: graph.element(index)).map(\.document.graph)
                }
            }
        }
    }

    /// Keys whose numbers differ: Xcode converts colours of a calibrated space, here they stay as they are written.
    private static let valued: Set<String> = ["UIColor.UIRed", "UIColor.UIGreen", "UIColor.UIBlue"]

    /// Keys that only Xcode writes: with their default values, which UIKit has without them.
    private static let defaults: Set<String> = [
        "UIViewSemanticContentAttribute", "UIShadowOffset", "UIDisableUpdateTextColorOnTraitCollectionChange",
        "UILargeTitleDisplayMode", "UIContentSize", "UISeparatorInsetReference", "UIEstimatedRowHeight",
        "UIEstimatedSectionHeaderHeight", "UIEstimatedSectionFooterHeight",
        "UIScrollViewContentInsetAdjustmentBehavior",
        "UIViewContentHuggingPriority", "UITableCellBackgroundColorSet", "UISecureTextEntry",
        "UIEnablesReturnKeyAutomatically",
    ]

    /// Attributes that the source says and Xcode leaves out, because UIKit has the same without them.
    private static let said: Set<String> = [
        "+UITextView.UIAutocapitalizationType", "+UITableViewCellContentView.UIAutoresizingMask",
        "+UITableView.UIViewDoesNotTranslateAutoresizingMaskIntoConstraints", "+UISearchBar.UISpellCheckingType",
        "+UIClassSwapper.UIHidesAccessoryWhenEditing", "+UIButton.UILineBreakMode",
        "+UIActivityIndicatorView.UIViewContentHuggingPriority",
        "+UIActivityIndicatorView.UIActivityIndicatorViewStyle",
    ]

    /// Empty values: a text, and the labels and the picture that a cell of the app's own class does not have.
    private static let empty: Set<String> = [
        "-UISearchBar.UIText", "-UIClassSwapper.UITextLabel", "-UIClassSwapper.UIDetailTextLabel",
        "-UIClassSwapper.UIImageView",
    ]

    /// The shipped bundle was made of an earlier revision of the source.
    private static let earlier: Set<String> = ["-UIActivityIndicatorView.UITintColor", "UIProxyObject"]

    /// Classes that UIKit makes itself, or that hold texts of keys and values that are not written.
    private static let made: Set<String> = ["_UITableViewCellSeparatorView", "NSString"]

    /// Classes whose objects differ in number, and keys that only one side has: "-Class.key", "+Class.key".
    private static func differences(_ theirs: Shape, _ ours: Shape) -> Set<String> {
        var found: Set<String> = []
        for className in Set(theirs.counts.keys).union(ours.counts.keys) {
            if theirs.counts[className] != ours.counts[className] { found.insert(className) }
            guard theirs.counts[className] != nil, ours.counts[className] != nil else { continue }
            let (before, now) = (theirs.keys[className] ?? [], ours.keys[className] ?? [])
            found.formUnion(before.subtracting(now).map { "-\(className).\($0)" })
            found.formUnion(now.subtracting(before).map { "+\(className).\($0)" })
        }
        return found
    }

    private static func differentNumbers(_ theirs: Shape, _ ours: Shape) -> Set<String> {
        Set(
            ours.numbers.keys.filter { key in
                guard let theirs = theirs.numbers[key], let ours = ours.numbers[key], theirs.count == ours.count else {
                    return false
                }
                return theirs.sorted() != ours.sorted()
            })
    }

    @Test func `Interfaces differ from those that Xcode made in defaults only`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "original-\(UInt64.random(in: .min ... .max))")
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = try Samples.unpack("WidgetDemo", into: folder.path)
        let compiled = try BundleCompiler(Corpus.tree(at: path), folder: "WidgetDemo")
        let nibs = compiled.files.filter { $0.path.hasSuffix(".nib") }
        #expect(nibs.count == 8)
        var found: Set<String> = []
        var numbers: Set<String> = []
        for file in nibs {
            let (theirs, ours) = (try Shape(Samples.demo(file.path)), try Shape(file.bytes))
            found.formUnion(Self.differences(theirs, ours))
            numbers.formUnion(Self.differentNumbers(theirs, ours))
        }
        #expect(numbers == Self.valued)
        let isDefault: (String) -> Bool = { kind in
            kind.hasPrefix("-") && Self.defaults.contains(String(kind.split(separator: ".").last ?? ""))
        }
        // Each kind has its reason, and no reason is kept for what no longer differs.
        #expect(found.filter { !isDefault($0) } == Self.said.union(Self.empty).union(Self.earlier).union(Self.made))
        let keys = Set(found.filter(isDefault).map { String($0.split(separator: ".").last ?? "") })
        #expect(keys == Self.defaults)
    }
}
