/// A program whose first screen is a widget. `@main` makes it one that `widget run` starts.
public protocol WidgetApp {
    init()

    /// The first screen.
    var first: any Widget { get }

    /// The identifier of its bundle, such as `com.example.Clock`.
    var identifier: String { get }

    /// The theme of all screens.
    var theme: WidgetTheme { get }
}

extension WidgetApp {
    public var identifier: String { "com.example.\(Self.self)" }

    public var theme: WidgetTheme { WidgetTheme() }

    /// The widget of the program.
    package static var program: DeclaredProgram {
        let app = Self()
        var context = WidgetContext()
        context.theme = app.theme
        return DeclaredProgram(app.identifier, first: app.first, context: context)
    }
}

extension WidgetApp {
    /// Runs the program.
    public static func main() { WidgetProgram.run(program) }
}
