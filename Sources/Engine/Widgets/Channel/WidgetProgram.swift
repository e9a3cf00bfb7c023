internal import Dispatch
internal import JSONText
internal import WidgetContract
internal import WidgetSystemCalls

/// The life of a program whose first screen is a widget: it serves a host, or says how it is run.
enum WidgetProgram {
    /// The option that prints the documents, for a look at them.
    private static let documents = "--documents"

    static func run(_ program: DeclaredProgram) -> Never {
        if let number = ChannelLoop.number {
            // The main thread is free for the work of the main actor.
            DispatchQueue(label: "widget.channel").async {
                ProcessExit.end(ChannelLoop(program) { program.declaration }.run(on: number))
            }
            dispatchMain()
        }
        guard CommandLine.arguments.dropFirst().first == documents else {
            print("This program shows widgets. Run it with `widget run`, in the folder of its package.")
            print("\(documents) prints its screens as documents.")
            ProcessExit.end(CommandLine.arguments.count > 1 ? 2 : 0)
        }
        print(String(decoding: JSONLayout.indented(program.declaration.json), as: UTF8.self), terminator: "")
        ProcessExit.end(0)
    }
}
