/// The arguments of the kiosk.
struct Options {
    var registry = "http://127.0.0.1:8080"
    var cache = ".widgets/cache"
    var builtIn = "Counter.bundle"
    var widget = "com.example.Counter-1"
    var data: String?
    var pin: String?
    var former: [String] = []

    struct Misuse: Error, CustomStringConvertible {
        let description: String
    }

    init(_ arguments: some Sequence<String>) throws(Misuse) {
        var rest = Array(arguments)[...]
        while let option = rest.popFirst() {
            guard let value = rest.popFirst() else { throw Misuse(description: "\(option) has no value") }
            switch option {
            case "--registry": registry = value
            case "--cache": cache = value
            case "--built-in": builtIn = value
            case "--widget": widget = value
            case "--data": data = value
            case "--pin": pin = value
            case "--former": former.append(value)
            default: throw Misuse(description: "\(option) is not an option")
            }
        }
    }
}
