/// What a file is, as its content or its name says. The raw value is what reports show.
package enum ContentKind: String, Equatable, Sendable {
    // Code in any form: never kept.
    case machO = "Mach-O"
    case fatMachO = "universal Mach-O"
    case elf = "ELF"
    case portableExecutable = "Windows executable"
    case wasm = "WebAssembly"
    case bitcode = "LLVM bitcode"
    case staticLibrary = "static library"
    case objectFile = "object file"
    case dynamicLibrary = "dynamic library"
    case javaClass = "Java class"
    case dex = "Dalvik code"
    case python = "Python code"
    case lua = "Lua code"
    case metalLibrary = "Metal library"
    case script = "script"
    case appleScript = "AppleScript"
    case javaScript = "JavaScript"
    case flash = "Flash"
    case executable = "executable"
    case debugSymbols = "debug symbols"

    // Documents that can act when shown: kept only where a policy asks for them.
    case html = "HTML"
    case svg = "SVG"
    case pdf = "PDF"

    // Containers whose content nobody here has judged.
    case archive = "archive"

    // Signing, packaging and what desktops leave behind.
    case signature = "code signature"
    case provisioning = "provisioning profile"
    case packaging = "packaging"
    case noise = "desktop metadata"

    // What a bundle is made of.
    case json = "JSON"
    case plist = "property list"
    case strings = "strings"
    case nib = "interface"
    case model = "data model"
    case optimizedModel = "optimized data model"
    case assetCatalog = "asset catalogue"
    case png = "PNG"
    case jpeg = "JPEG"
    case gif = "GIF"
    case heic = "HEIC"
    case webp = "WebP"
    case font = "font"

    case other = "other"

    /// Content that no kept name may have.
    var isForeign: Bool {
        switch self {
        case .json, .plist, .strings, .nib, .model, .optimizedModel, .assetCatalog, .png, .jpeg, .gif, .heic, .webp,
            .font, .signature, .provisioning, .packaging, .noise, .other:
            false
        default: true
        }
    }

    /// Read as a whole, hence bounded by ``BundleLimits/parsedByteCount``.
    var isParsed: Bool {
        switch self {
        case .json, .plist, .strings, .nib, .model, .optimizedModel: true
        default: false
        }
    }

    /// The kind a file of that name claims to be.
    static func named(_ path: String) -> ContentKind {
        guard let suffix = path.lastPathComponent.nameExtension else { return .other }
        return switch suffix {
        case "json": .json
        case "plist", "stringsdict": .plist
        case "strings": .strings
        case "nib": .nib
        case "mom": .model
        case "omo": .optimizedModel
        case "car": .assetCatalog
        case "png": .png
        case "jpg", "jpeg": .jpeg
        case "gif": .gif
        case "heic": .heic
        case "webp": .webp
        case "ttf", "otf": .font
        case "dylib", "tbd", "so", "dll": .dynamicLibrary
        case "a", "lib": .staticLibrary
        case "o", "obj": .objectFile
        case "exe", "com", "scr", "msi": .portableExecutable
        case "wasm": .wasm
        case "bc": .bitcode
        case "class": .javaClass
        case "dex": .dex
        case "py", "pyc", "pyo": .python
        case "lua", "luac": .lua
        case "metallib", "metal", "air": .metalLibrary
        case "sh", "bash", "zsh", "command", "rb", "pl", "php", "tcl", "bat", "cmd", "ps1": .script
        case "scpt", "scptd", "applescript": .appleScript
        case "js", "mjs", "cjs", "jsbundle", "jsx", "ts": .javaScript
        case "swf": .flash
        case "html", "htm", "xhtml", "shtml", "webarchive", "mht": .html
        case "svg", "svgz": .svg
        case "pdf": .pdf
        case "zip", "ipa", "jar", "tar", "tgz", "gz", "bz2", "xz", "7z", "rar", "xar", "pkg", "dmg", "cab", "zst",
            "aar":
            .archive
        case "mobileprovision", "provisionprofile": .provisioning
        default: .other
        }
    }
}
