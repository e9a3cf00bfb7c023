internal import JSONText

/// The programs that a package makes, as `swift package describe --type json` lists them.
struct PackageProducts: Equatable {
    /// In the order of the package.
    let programs: [String]
    /// Those whose code imports the module for widgets.
    let widgets: [String]

    private static let module = "Widgets"
    private static let limits = JSONLimits(byteCount: 8 << 20, depth: 64)

    init(_ description: [UInt8]) throws(PackageError) {
        do throws(JSONError) {
            let root = try JSONDocument(parsing: description, limits: PackageProducts.limits).root
            let products = (root["products"]?.array ?? []).filter { $0["type"]?["executable"] != nil }
            var users: Set<String> = []
            for target in root["targets"]?.array ?? [] {
                let needed =
                    (target["product_dependencies"]?.array ?? []) + (target["target_dependencies"]?.array ?? [])
                guard needed.contains(where: { $0.string == PackageProducts.module }) else { continue }
                for name in target["product_memberships"]?.array ?? [] {
                    if let name = name.string { users.insert(name) }
                }
            }
            let names = products.compactMap { $0["name"]?.string }.filter(PackageProducts.isFileName)
            programs = names
            widgets = names.filter(users.contains)
        } catch {
            throw .unreadableDescription("\(error)")
        }
    }

    /// True for a name that a file beside others can have.
    private static func isFileName(_ name: String) -> Bool {
        !name.isEmpty && !name.hasPrefix("-") && !name.hasPrefix(".")
            && name.utf8.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "/") }
    }

    /// The program of the widget. Of several programs, the only one that uses the module for widgets is meant.
    func program(named wanted: String?) throws(PackageError) -> String {
        if let wanted {
            guard programs.contains(wanted) else {
                throw programs.isEmpty ? .noProduct : .unknownProduct(wanted, known: programs)
            }
            return wanted
        }
        guard let first = programs.first else { throw .noProduct }
        if programs.count == 1 { return first }
        guard widgets.count == 1 else { throw .severalProducts(widgets.isEmpty ? programs : widgets) }
        return widgets[0]
    }
}
