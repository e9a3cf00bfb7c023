import Glibc

/// Runs programs of the system, as a person at a terminal would.
package enum Shell {
    /// What a command line wrote to its standard output, and how it ended.
    package static func run(_ line: String) -> (output: String, status: Int32) {
        guard let pipe = unsafe popen(line, "r") else { return ("", -1) }
        var output: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = unsafe fread(&room, 1, room.count, pipe)
            guard count > 0 else { break }
            output += room[..<count]
        }
        let status = unsafe pclose(pipe)
        return (String(decoding: output, as: UTF8.self), status >> 8 & 0xFF)
    }

    package static func has(_ program: String) -> Bool { run("command -v \(program)").status == 0 }
}
