package import WidgetCore

/// The names of the classes that tie the elements of a page to the rules of its `PlanSheet`.
///
/// A page that shows a view of the program agrees with the sheet as follows.
///
/// * Every view node that an author drew is one element with the class `node(scene, key.node)`, in every row the same. It
///   holds the elements of its children. HTML's controls hold none: they have the class `inner` and fill a box that has the
///   node's class, beside the children.
/// * The children of a container are nested as its `PlannedContainer.arrangement` says: `.wrapper(index, parts)` is a `<div>`
///   with the class `wrapper(scene, container, index)` and nothing but its parts. Children that the arrangement does not
///   have, such as rows, sections and parts of the system, follow it.
/// * A node of the arrangement that the view lacks, because it is hidden, is an empty `<div>` with the classes `absent` and
///   `node(scene, node)`, since rules keep its place. In a stack view, which closes the gap, it is omitted.
/// * The element around a screen has `container-type: size`, and the properties `--safe-top`, `--safe-right`,
///   `--safe-bottom` and `--safe-left`: the parts of the screen that bars cover.
/// * Colours of roles are the properties that `role(_:)` names. Their values are `light-dark(…)`, so that the sheet sets
///   `color-scheme` alone where an author painted a dark ground.
/// * A selected row has the attribute `aria-current` or `aria-selected`, and the rows of a list are children of one element.
package struct LayoutClasses: Sendable {
    /// `w` and digits that come from the program's identity.
    package let prefix: String

    /// - Parameter identity: a text that no other program on the page has, such as the digest of its archive.
    package init(identity: String) {
        prefix = "w" + PageFiles.digest(of: Array(identity.utf8)).prefix(LayoutClasses.digitCount)
    }

    /// 80 bits of a digest: an author cannot look for a program that has another's names.
    private static let digitCount = 20

    /// A sheet with these names in place of others. No text of an author's has the dot before a class unescaped.
    func renamed(_ sheet: [UInt8], from other: LayoutClasses) -> [UInt8] {
        let (old, new) = (Array(".\(other.prefix)-".utf8), Array(prefix.utf8))
        var (bytes, place) = (sheet, 0)
        while place + old.count <= bytes.count {
            if bytes[place] == old[0], bytes[place..<place + old.count].elementsEqual(old) {
                bytes.replaceSubrange(place + 1..<place + 1 + new.count, with: new)
                place += old.count
            } else {
                place += 1
            }
        }
        return bytes
    }

    /// - Parameter scene: the place of the scene among those of the program, by `PlanSheet.scene(_:)`.
    package func node(_ scene: Int, _ node: NodeID) -> String { "\(prefix)-\(scene)-\(node)" }

    package func wrapper(_ scene: Int, _ container: NodeID, _ index: Int) -> String {
        "\(prefix)-\(scene)-\(container)-\(index)"
    }

    /// Of a part of an attributed text.
    package func run(_ scene: Int, _ node: NodeID, _ index: Int) -> String { "\(prefix)-\(scene)-\(node)r\(index)" }

    /// Of a node that is hidden and keeps its place.
    package static let absent = "absent"
    /// Of a control or picture in the box that has its place, beside the children that lie over it.
    package static let inner = "inner"

    /// The custom property with the colour of a role.
    package static func role(_ role: ColorRole) -> String { "--\(role.rawValue)" }

    /// The custom property with the size of a text style, where the reader has chosen another size than the usual one.
    package static func size(of style: TextStyle) -> String { "--size-\(style.rawValue)" }

    /// The custom properties with the distance between letters, in ems, of a text style or of a size, where the reader has
    /// chosen another size than the usual one.
    package static func tracking(of style: TextStyle) -> String { "--t-\(style.rawValue)" }
    package static func tracking(at size: Int) -> String { "--t\(size)" }

    /// The custom property with the constant of a rule that a running widget has changed.
    package static func constant(_ node: NodeID) -> String { "--c\(node)" }
}
