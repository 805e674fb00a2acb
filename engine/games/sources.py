"""The works that the games come from, as they are cited.

Where we know a work only through another, the citation says so.
"""

LIBRO = "Libro de los Juegos (Alfonso X, 1283)"
ROYAL = "London, British Library, Royal MS 13 A XVIII (c. 1330)"
LEWINS = "S. Lewins, Tabula at Rumwoldstow (2021)"
MURRAY = (
    "H. J. R. Murray, The Mediaeval Games of Tables, Medium Aevum 10 (1941), pp. 57-69, "
    "as Lewins cites it"
)
MURRAY_BOARDS = "H. J. R. Murray, A History of Board-Games Other than Chess (1952)"
SCHAEDLER = "U. Schädler, Das Spiel der Engländer (2013), as Lewins cites it"
GOLLADAY = "S. M. Golladay, Los Libros de Acedrex Dados e Tablas (2007)"
LUDEME = "Digital Ludeme Project, evidence for each game"
LUDEME_BEARING = (
    "There, any man may be borne off whose number carries it past the end; here, only once all are "
    "in the last table, Lewins' rule for all games."
)
LUDEME_ENTERING = (
    "There, a hit man must enter again, but not first, and their file lets others move; here, it "
    "must enter first, Lewins' rule for all games."
)
"""Differences that several games have from those of the Digital Ludeme Project."""
FISKE = "W. Fiske, Chess in Iceland (1905)"
COTTON = "C. Cotton, The Compleat Gamester (1725), pp. 99-102"
COTTON_FIRST = "C. Cotton, The Compleat Gamester (1674)"
WILLUGHBY = (
    "F. Willughby's Book of Games (1660s), as reported by the Guilde of St Ives and Wikipedia"
)
ST_IVES = "Guilde of St Ives, Irish (members.tripod.com/Guilde_of_St_Ives)"
BELL = "R. C. Bell, Board and Table Games from Many Civilizations, pp. 34-35"
BELL_OF_1969 = (
    "R. C. Bell, Board and Table Games from Many Civilizations (1969), as Lewins cites it"
)
BOTERMANS = "J. Botermans, The Book of Games, pp. 557-568"
ROMAN_PAGE = (
    "Ancient Greek and Roman Games (historicalgames.neocities.org), after Bell and Botermans"
)
WALKER = (
    "D. Walker, Ludus Duodecim Scriptorum (2011), leaflet 9 of the Traditional Board Game Series, "
    "after Murray"
)
ENCYCLOPAEDIA = "Wikipedia, Ludus Anglicorum"
WIKIPEDIA_LAQUET = "Wikipedia, Laquet"
WIKIPEDIA_DOUBLETS = "Wikipedia, Doublets"
WIKIPEDIA_IRISH = "Wikipedia, Irish"
WIKIPEDIA_VERQUERE = "Wikipedia, Verquere"
WIKIPEDIA_TICKTACK = "Wikipedia, Ticktack"
WIKIPEDIA_PLAKOTO = "Wikipedia, Plakoto"
PARLETT = (
    "D. Parlett, The Oxford History of Board Games (1999), p. 82, as Wikipedia's Ludus Anglicorum "
    "cites it"
)
FORGOTTEN_GAMES = "Académie des jeux oubliés (salondesjeux.fr)"
BACKGAMMON_GALORE = "Backgammon Galore (bkgm.com), Fayles"
VASA = "The Swedish-Tables Association of the Vasa Museum, The Rules of Swedish Tables (2003)"
