import Glibc
import PackageSupport
import Widgets

/// The program of a widget that a package made: it has no arguments.
///
/// The words of the file beside the program that ends in `.behaviour`, or of the variable `BEHAVIOUR`, say how it fails.
enum AnsweringSpecimen {
    static func run() -> Never {
        let words = behaviour()
        print("the answerer begins")
        fflush(nil)
        guard let number = ChannelLoop.number else {
            print("run it with `widget run .`")
            exit(2)
        }
        if words.contains("silent") { while true { pause() } }
        if words.contains("descriptors") {
            for descriptor in 4..<200 where fcntl(Int32(descriptor), F_GETFD) >= 0 {
                print("descriptor \(descriptor) is open")
            }
            print("descriptors are counted")
        }
        let widget = AnsweringWidget(words) { misbehave(words) }
        exit(ChannelLoop(widget) { widget.declaration }.run(on: number))
    }

    private static func behaviour() -> Set<String> {
        var text = ""
        // The texts are copied at once.
        if let given = unsafe getenv("BEHAVIOUR") { text = unsafe String(cString: given) }
        if let file = unsafe fopen("\(CommandLine.arguments[0]).behaviour", "r") {
            var room = [CChar](repeating: 0, count: 1_000)
            while unsafe fgets(&room, 1_000, file) != nil {
                text += " " + String(decoding: room.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            }
            unsafe fclose(file)
        }
        return Set(text.split { $0 == " " || $0 == "\n" }.map(String.init))
    }

    private static func misbehave(_ behaviour: Set<String>) {
        if behaviour.contains("dies") { exit(3) }
        if behaviour.contains("crashes") { abort() }
        if behaviour.contains("hangs") { while true { pause() } }
        // Until the test opens the pipe, the first time.
        if behaviour.contains("late") {
            let pipe = "\(CommandLine.arguments[0]).go"
            close(unsafe open(pipe, O_RDONLY))
            unsafe unlink(pipe)
        }
        let number = ChannelLoop.number ?? 3
        if behaviour.contains("nonsense") { send(number, "nonsense\n") }
        if behaviour.contains("closes") {
            close(number)
            while true { pause() }
        }
        if behaviour.contains("long") {
            let text = String(repeating: "x", count: 1 << 20)
            for _ in 0..<10 { send(number, text) }
            while true { pause() }
        }
    }

    private static func send(_ number: Int32, _ text: String) {
        let bytes = Array(text.utf8)
        // The pointer lives for this call, inside the array.
        _ = unsafe bytes.withUnsafeBytes { unsafe write(number, $0.baseAddress, $0.count) }
    }
}
