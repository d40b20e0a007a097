"""Prints the words of a language, the most frequent first, that a dictionary knows, each with its lemma: `form<tab>lemma`.

Frequencies are of wordfreq 3.1.1, lemmas of simplemma 2.0.0: `pip install wordfreq==3.1.1 simplemma==2.0.0`.
"""

import sys

import simplemma
from wordfreq import top_n_list

dictionary, frequencies, most = sys.argv[1], sys.argv[2], int(sys.argv[3])
for word in top_n_list(frequencies, most):
    if simplemma.is_known(word, lang=dictionary):
        print(word, simplemma.lemmatize(word, lang=dictionary), sep="\t")
