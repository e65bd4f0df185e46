"""What plays a battle: the three ways in which luck falls, and one room for each kind of answer.

`turns` is the battle as data. Luck is `branches` (every outcome), `draws` (one a fight) or
`script` (a list). Answers are `exact` (all states, by a `solver`), `sampling` (fight by fight, in
a `block` of `rows`), `coupled` (two sides that touch by messages alone, with `learned`, `kernel`,
`pairs` and `danger`) and `induction` (the best decisions, over `numbered_states`); `stalemates`
tells which fights have no end, and `midway` takes up a fight in the middle of a turn.
"""
