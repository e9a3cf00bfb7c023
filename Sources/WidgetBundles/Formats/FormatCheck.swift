/// The check of a file whose format can be followed while its bytes pass by.
enum FormatCheck: Sendable {
    case none
    case png(FormatDriver<PNGWalk>)
    case jpeg(FormatDriver<JPEGWalk>)
    case gif(FormatDriver<GIFWalk>)
    case webp(FormatDriver<WebPWalk>)
    case heic(FormatDriver<HEICWalk>)
    case font(FormatDriver<FontWalk>)
    case catalog(FormatDriver<CatalogWalk>)

    init(_ kind: ContentKind, bounds: PictureBounds) {
        switch kind {
        case .png: self = .png(FormatDriver(PNGWalk(bounds)))
        case .jpeg: self = .jpeg(FormatDriver(JPEGWalk(bounds)))
        case .gif: self = .gif(FormatDriver(GIFWalk(bounds)))
        case .webp: self = .webp(FormatDriver(WebPWalk(bounds)))
        case .heic: self = .heic(FormatDriver(HEICWalk(bounds)))
        case .font: self = .font(FormatDriver(FontWalk(fileByteCount: bounds.fileByteCount)))
        case .assetCatalog: self = .catalog(FormatDriver(CatalogWalk(fileByteCount: bounds.fileByteCount)))
        default: self = .none
        }
    }

    mutating func consume(_ chunk: borrowing Span<UInt8>) {
        // The driver is moved out and back, so that its buffer is not copied.
        let check = self
        self = .none
        switch check {
        case .none: break
        case .png(var driver):
            driver.consume(chunk)
            self = .png(driver)
        case .jpeg(var driver):
            driver.consume(chunk)
            self = .jpeg(driver)
        case .gif(var driver):
            driver.consume(chunk)
            self = .gif(driver)
        case .webp(var driver):
            driver.consume(chunk)
            self = .webp(driver)
        case .heic(var driver):
            driver.consume(chunk)
            self = .heic(driver)
        case .font(var driver):
            driver.consume(chunk)
            self = .font(driver)
        case .catalog(var driver):
            driver.consume(chunk)
            self = .catalog(driver)
        }
    }

    /// What is wrong with the file that has now ended.
    func finish() -> FormatFault? {
        switch self {
        case .none: nil
        case .png(let driver): driver.finished
        case .jpeg(let driver): driver.finished
        case .gif(let driver): driver.finished
        case .webp(let driver): driver.finished
        case .heic(let driver): driver.finished
        case .font(let driver): driver.finished
        case .catalog(let driver): driver.finished
        }
    }
}

extension FormatDriver {
    fileprivate var finished: FormatFault? {
        var driver = self
        driver.finish()
        return driver.fault
    }
}
