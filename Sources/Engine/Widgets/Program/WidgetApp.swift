/// A program whose first screen is a widget. `@main` makes it one that `widget run` starts.
public protocol WidgetApp {
    init()

    /// The first screen.
    var first: any Widget { get }

    /// The identifier of its bundle, such as `com.example.Clock`.
    var identifier: String { get }
}

extension WidgetApp {
    public var identifier: String { "com.example.\(Self.self)" }

    /// The widget of the program.
    package static var program: DeclaredProgram {
        let app = Self()
        return DeclaredProgram(app.identifier, first: app.first)
    }
}

extension WidgetApp {
    /// Runs the program.
    public static func main() {
        print("This program shows widgets. Run it with `widget run`, in the folder of its package.")
    }
}
