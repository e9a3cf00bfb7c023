/// A program whose first screen is a widget. `@main` makes it one that `widget run` starts.
public protocol WidgetApp {
    /// Makes the program when it starts.
    init()

    /// The first screen.
    var first: any Widget { get }

    /// The identifier of its bundle, such as `com.example.Clock`.
    var identifier: String { get }

    /// The theme of all screens.
    var theme: WidgetTheme { get }
}

extension WidgetApp {
    /// The identifier `com.example.TYPE`, for programs that do not set one.
    public var identifier: String { "com.example.\(Self.self)" }

    /// A theme without names, for programs that do not set one.
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
