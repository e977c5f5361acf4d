"""Lines that stand behind an article: the readers' comments begin there, or are asked for.

Boilerpipe knows English ones. Two kinds are told apart, so that a subheading such as "Comments from
the minister" ends nothing: what has to be the whole line, but for numbers and signs, and what a
line has to begin with.
"""

from __future__ import annotations

import re

#: The whole line, as in "Comments (12)".
WHOLE = frozenset(
    line.strip()
    for line in """
    comments | comment | reader comments | all comments | show comments | view comments
    hide comments | read comments | most popular comments | the discussion | responses | discussion
    kommentare | kommentar | leserkommentare | alle kommentare | kommentare anzeigen | diskussion
    commentaires | commentaire | vos commentaires | réactions | voir les commentaires
    comentarios | comentario | ver comentarios | mostrar comentarios | comentários | ver comentários
    commenti | vedi commenti | i commenti | reacties | alle reacties | toon reacties
    kommentarer | alla kommentarer | vis kommentarer | visa kommentarer | kommentit | keskustelu
    komentarze | wszystkie komentarze | komentáře | komentare | komentari | diskuse | diskusia
    yorumlar | yorum | комментарии | комментарий | комментариев | коментарі | коментари
    σχόλια | komentarai | komentāri | kommentaarid | hozzászólások | comentarii | bình luận
    komentar | 评论 | 评论区 | 網友評論 | 留言 | コメント | コメント一覧 | 댓글 | التعليقات
    تعليقات | תגובות
    """.replace("\n", "|").split("|")
    if line.strip()
)

#: The first words of a short line, as in "Leave a comment below".
BEGINNING = tuple(
    line.strip()
    for line in """
    post a comment | post your comment | add a comment | add your comment | add comment
    leave a comment | leave a reply | leave your comment | write a comment | join the conversation
    join the discussion | have your say | what do you think | share your thoughts
    log in to comment | sign in to comment | please rate | rate this article | comments are closed
    be the first to comment | there are no comments | no comments yet
    kommentar schreiben | kommentieren sie | schreiben sie einen kommentar | diskutieren sie mit
    ihre meinung zu | kommentar verfassen | jetzt kommentieren | artikel kommentieren
    laisser un commentaire | ajouter un commentaire | écrire un commentaire | réagissez
    réagir à cet article | publier un commentaire | votre commentaire
    deja un comentario | deja tu comentario | dejar un comentario | escribe un comentario
    escribe tu comentario | añade un comentario | deixe um comentário | deixe seu comentário
    escreva um comentário | lascia un commento | scrivi un commento | aggiungi un commento
    plaats een reactie | schrijf een reactie | geef een reactie | reageer op dit artikel
    skriv en kommentar | kirjoita kommentti | lisää kommentti | dodaj komentarz
    napisz komentarz | přidat komentář | pridať komentár | napiši komentar | yorum yaz
    yorum yap | оставить комментарий | добавить комментарий | написать комментарий
    залишити коментар | γράψτε ένα σχόλιο | 发表评论 | 發表評論 | コメントを書く | コメントする
    """.replace("\n", "|").split("|")
    if line.strip()
)

_SIGNS = re.compile(r"[\W\d_]+")
_FIRST_LETTERS = re.compile(r"[^\W\d_]{1,3}")
#: How an end mark begins; most lines begin otherwise, and need no closer look.
FIRST_LETTERS = {
    found[0] for line in (*WHOLE, *BEGINNING) if (found := _FIRST_LETTERS.search(line))
}


def is_end_mark(line: str) -> bool:
    """Whether a short line says that the article is over.

    >>> is_end_mark("Comments (1,024)"), is_end_mark("12 Kommentare"), is_end_mark("Дом")
    (True, True, False)
    >>> is_end_mark("Leave a comment below"), is_end_mark("Comments from the minister")
    (True, False)
    """
    line = line.casefold()
    first = _FIRST_LETTERS.search(line)
    if not first or first[0] not in FIRST_LETTERS:
        return False
    folded = _SIGNS.sub(" ", line).strip()
    return folded in WHOLE or folded.startswith(BEGINNING)
