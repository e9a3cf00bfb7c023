import Ensemble

OrchestraApp.main()
