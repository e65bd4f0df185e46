"""What plays a battle: the three ways in which luck falls, and one room for each kind of answer.

`turns` is the battle as data. Luck is `branches` (every outcome), `draws` (one a fight) or
`script` (a list). Answers are `exact` (all states), `coupled` (two sides that touch
by messages alone, with `learned`, `kernel`, `pairs` and `danger`), `induction` (the best
decisions, over `numbered_states`) and `sampling` (fight by fight, over `rows`); `midway` takes up
a fight in the middle of a turn.
"""
