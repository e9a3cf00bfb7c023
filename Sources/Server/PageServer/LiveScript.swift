enum LiveScript { static var bytes: [UInt8] { PackageResources.live_js } }
