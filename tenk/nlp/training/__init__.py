"""How the bundled pipeline is made. `train.py` is the command; nothing else in tenk imports this package.

conllu.py       the treebank -> documents
captions.py     a lexicon and a grammar -> made-up captions with trees (nounphrases, verbphrases, tree, inflect)
wordtable.py    word clusters and WordNet's parts of speech -> static vectors
config.cfg      what spaCy trains
lemmas.py       the treebank -> exceptions of the rule lemmatizer
scores.py       a pipeline and gold sentences -> accuracies
"""
