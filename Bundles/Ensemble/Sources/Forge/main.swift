import Ensemble

ForgeApp.main()
