//! Words for actions in many languages: a flat table, one entry a language.
//!
//! Words are separated by commas and written as people write them; [`super::lexicon`] folds case,
//! accents and blanks, so that `Log out`, `log-out` and `logout` are one.

/// The words of one language.
pub(super) struct Language {
    /// ISO 639-1.
    #[cfg_attr(not(test), expect(dead_code, reason = "names the entry; tests count languages"))]
    pub(super) code: &'static str,
    /// Ends the session.
    pub(super) leave: &'static str,
    /// Changes something on its own: deletes, votes, orders, cancels.
    pub(super) drop: &'static str,
    /// Adds or puts: an action together with an object (`add` + `cart`).
    pub(super) put: &'static str,
    /// Other verbs of actions, which also name harmless pages: an action only beside an object.
    pub(super) act: &'static str,
    /// What is acted on: carts, wish lists, comments, accounts.
    pub(super) object: &'static str,
    /// Small words between verb and object.
    pub(super) filler: &'static str,
}

pub(super) static LANGUAGES: &[Language] = &[
    Language {
        code: "en",
        leave: "logout, log out, logoff, log off, log me out, signout, sign out, sign me out, signoff, sign off, autologout, \
                end session, logged out, disconnect",
        drop: "delete, del, remove, destroy, trash, unsubscribe, opt out, unfollow, unfriend, unlike, unfavorite, \
               unfavourite, unwatch, unbookmark, unstar, unpin, unmute, unblock, undelete, uninstall, unregister, \
               unpublish, unapprove, kick, vote, upvote, downvote, vote up, vote down, vote now, cast vote, thumbs up, \
               thumbs down, rollback, revert, revoke, purge, buy now, buy it now, buy this now, one click buy, quick buy, \
               order now, place order, place your order, submit order, confirm order, checkout confirm, pay now, place bid, \
               mark as read, mark all as read, mark all read, mark read, mark as spam, mark forums read, mark topics read, \
               close account, deactivate, rate it, empty trash, clear all, move to trash, to cart, \
               helpful vote, report abuse, report spam, add friend, addfriend, add comment, post comment, postcomment, \
               add item, add items, add product, add favorite, add favourite, change password now, delete all, remove all, \
               mass delete, massdelete, bulk delete, really delete, confirm delete, delete confirm, delete this, \
               clear history, clear cache, flush cache, approve, reject, place hold, place a hold",
        put: "add, put, insert, append, save to, update, clear, empty, reorder, re order, increase, decrease, increment, decrement",
        act: "like, dislike, flag, follow, favorite, favourite, fave, fav, bookmark, thank, thanks, mute, ignore, poke, send, \
              submit, confirm, cancel, publish, activate, enable, disable, toggle, subscribe, accept, decline, redeem, renew, \
              lock, unlock, reply, edit, move, save, report, mark, rate, share, join, block, ban, suspend, watch, close, \
              reopen, erase, reset, resend, withdraw",
        object: "cart, carts, shopping cart, shoppingcart, basket, bag, trolley, wishlist, wish list, wishlists, compare, \
                 comparison, comparelist, favorites, favourites, favs, watchlist, watch list, comment, comments, review, \
                 reviews, friend, friends, contact, account, profile, message, messages, pm, order, orders, subscription, \
                 subscriptions, newsletter, reply, replies, attachment, reaction, booking, reservation, coupon, poll, \
                 collection, playlist, bookmarks, reading list, topic, thread, post, item, items, product, user, \
                 member, file, photo, image, entry, record, page, row, line, address, notification, notifications, \
                 quote, registry, gift list, shortlist, library list",
        filler: "to, from, the, this, my, your, of, for, in, into, it, all, as, me, an, out of, now, permanently, by, id, one, \
                 selected, link, button, btn, js, icon, please, do, ajax, action, quick, mass, bulk, handler, index",
    },
    Language {
        code: "de",
        leave: "abmelden, abmeldung, ausloggen, sitzung beenden, benutzer abmelden, auslogen",
        drop: "löschen, loeschen, lösche, entfernen, entferne, abbestellen, newsletter abmelden, stornieren, storno, kündigen, \
               kuendigen, abstimmen, jetzt kaufen, sofort kaufen, sofortkaufen, jetzt bestellen, kostenpflichtig bestellen, \
               zahlungspflichtig bestellen, bestellung abschicken, bestellung absenden, in den warenkorb, zum warenkorb hinzufügen, \
               in den einkaufswagen, auf die merkliste, auf den wunschzettel, auf die wunschliste, beitrag melden, \
               kommentar melden, als gelesen markieren, alle als gelesen markieren, entfolgen, nicht mehr folgen, widerrufen, \
               zurücksetzen, verwerfen, konto schließen, konto löschen, ablehnen, genehmigen, freigeben",
        put: "hinzufügen, hinzufuegen, legen, einlegen, ablegen, eintragen, aktualisieren, leeren, speichern, merken, erhöhen, verringern",
        act: "melden, folgen, gefällt mir, markieren, bewerten, senden, absenden, abschicken, bestätigen, abbrechen, \
              veröffentlichen, aktivieren, deaktivieren, abonnieren, annehmen, einlösen, verlängern, sperren, antworten, \
              bearbeiten, verschieben, teilen, beitreten, vormerken, bestellen, kaufen, vergleichen",
        object: "warenkorb, einkaufswagen, einkaufskorb, merkliste, merkzettel, wunschliste, wunschzettel, vergleich, \
                 vergleichsliste, favoriten, kommentar, kommentare, bewertung, freund, konto, benutzerkonto, profil, nachricht, \
                 nachrichten, bestellung, abo, abonnement, beitrag, artikel, produkt, eintrag, benutzer, thema, umfrage, \
                 warteliste, buchung, reservierung, lesezeichen",
        filler: "zum, zur, in den, in die, auf die, auf den, aus dem, aus der, von der, diesen, dieses, diese, den, das, die, \
                 mein, meine, meinen, alle, als, jetzt, bitte",
    },
    Language {
        code: "fr",
        leave: "déconnexion, se déconnecter, déconnecter, me déconnecter, quitter la session, fermer la session, fin de session",
        drop: "supprimer, suppression, effacer, enlever, retirer, se désinscrire, désinscription, désabonner, se désabonner, \
               désabonnement, voter, acheter maintenant, commander maintenant, passer la commande, valider la commande, \
               confirmer la commande, payer maintenant, au panier, ajouter au panier, mettre dans le panier, annuler la commande, \
               signaler un abus, marquer comme lu, tout marquer comme lu, ne plus suivre, révoquer, vider le panier, \
               résilier, approuver, rejeter, refuser",
        put: "ajouter, ajout, mettre, vider, actualiser, mettre à jour, enregistrer, augmenter, diminuer, rajouter",
        act: "aimer, j'aime, suivre, signaler, envoyer, soumettre, confirmer, annuler, publier, activer, désactiver, s'abonner, \
              accepter, répondre, modifier, déplacer, partager, rejoindre, noter, évaluer, bloquer, acheter, commander, comparer",
        object: "panier, caddie, liste d'envies, liste de souhaits, wishlist, comparateur, comparaison, favoris, commentaire, \
                 commentaires, avis, ami, amis, compte, profil, message, messages, commande, abonnement, article, produit, \
                 utilisateur, sujet, sondage, envies, souhaits, réservation, sélection",
        filler: "au, aux, du, de la, des, dans le, dans la, la, le, les, mon, ma, mes, votre, cet, cette, ce, à la, de, à mes, à ma, tout",
    },
    Language {
        code: "es",
        leave: "cerrar sesión, cerrar la sesión, salir, desconectar, desconectarse, finalizar sesión, cierre de sesión",
        drop: "eliminar, borrar, quitar, suprimir, darse de baja, dar de baja, baja boletín, cancelar suscripción, votar, \
               comprar ahora, comprar ya, pedir ahora, realizar pedido, confirmar pedido, confirmar compra, pagar ahora, \
               cancelar pedido, al carrito, añadir al carrito, anadir al carrito, reportar abuso, marcar como leído, dejar de seguir, \
               revocar, vaciar carrito, desuscribirse, anular, aprobar, rechazar",
        put: "añadir, anadir, agregar, agrega, poner, meter, vaciar, actualizar, guardar, aumentar, disminuir, incluir",
        act: "me gusta, seguir, denunciar, reportar, enviar, confirmar, cancelar, publicar, activar, desactivar, suscribirse, \
              aceptar, responder, editar, mover, compartir, unirse, calificar, bloquear, comprar, comparar",
        object: "carrito, cesta, carro, bolsa, lista de deseos, deseos, comparador, comparación, favoritos, comentario, \
                 comentarios, reseña, amigo, cuenta, perfil, mensaje, mensajes, pedido, suscripción, boletín, artículo, producto, \
                 usuario, tema, encuesta, reserva",
        filler: "al, a la, a mi, a mis, del, de la, de, el, la, los, las, mi, tu, este, esta, en el, en la, todo",
    },
    Language {
        code: "pt",
        leave: "sair, terminar sessão, encerrar sessão, fazer logout, desligar, finalizar sessão, sair da conta",
        drop: "excluir, apagar, remover, deletar, eliminar, cancelar inscrição, cancelar assinatura, descadastrar, votar, \
               comprar agora, compre já, pedir agora, finalizar compra, confirmar pedido, fazer pedido, pagar agora, \
               cancelar pedido, ao carrinho, adicionar ao carrinho, denunciar abuso, marcar como lido, deixar de seguir, \
               revogar, esvaziar carrinho, descurtir, aprovar, rejeitar",
        put: "adicionar, adiciona, incluir, inserir, colocar, pôr, esvaziar, limpar, atualizar, actualizar, guardar, salvar",
        act: "curtir, gostar, seguir, denunciar, enviar, confirmar, cancelar, publicar, ativar, desativar, assinar, aceitar, \
              responder, editar, mover, compartilhar, partilhar, avaliar, bloquear, comprar, comparar",
        object: "carrinho, cesto, sacola, lista de desejos, desejos, comparador, comparação, favoritos, comentário, comentários, \
                 avaliação, amigo, conta, perfil, mensagem, mensagens, pedido, encomenda, assinatura, item, produto, artigo, \
                 usuário, utilizador, tópico, enquete, reserva",
        filler: "ao, à, aos, às, do, da, de, dos, das, no, na, o, os, as, meu, minha, este, esta, seu, sua, tudo",
    },
    Language {
        code: "it",
        leave: "esci, disconnetti, disconnettersi, scollegati, termina sessione, chiudi sessione, uscita, esegui logout",
        drop: "elimina, eliminare, cancella, cancellare, rimuovi, rimuovere, disiscriviti, annulla iscrizione, disdici, vota, \
               acquista ora, compra ora, compra subito, acquista subito, ordina ora, invia ordine, conferma ordine, paga ora, \
               annulla ordine, al carrello, nel carrello, aggiungi al carrello, segnala abuso, segna come letto, \
               non seguire più, smetti di seguire, revoca, svuota carrello, approva, rifiuta",
        put: "aggiungi, aggiungere, inserisci, metti, svuota, aggiorna, salva, aumenta, diminuisci",
        act: "mi piace, segui, segnala, invia, conferma, annulla, pubblica, attiva, disattiva, iscriviti, accetta, rispondi, \
              modifica, sposta, condividi, unisciti, valuta, blocca, acquista, compra, confronta",
        object: "carrello, borsa, lista dei desideri, lista desideri, desideri, confronto, preferiti, commento, commenti, \
                 recensione, amico, account, profilo, messaggio, messaggi, ordine, abbonamento, articolo, prodotto, utente, \
                 discussione, sondaggio, prenotazione",
        filler: "al, alla, ai, dal, dalla, dai, nel, nella, del, della, il, lo, la, i, gli, le, mio, mia, tuo, questo, questa, tutto",
    },
    Language {
        code: "nl",
        leave: "uitloggen, afmelden, log uit, meld af, sessie beëindigen, uitlog",
        drop: "verwijderen, verwijder, wissen, wis, uitschrijven, schrijf uit, nieuwsbrief afmelden, opzeggen, annuleren bestelling, \
               stemmen, stem nu, koop nu, nu kopen, direct bestellen, bestel nu, bestelling plaatsen, plaats bestelling, \
               betaal nu, in winkelwagen, in winkelmandje, in mijn winkelwagen, in winkelwagentje, bestelling annuleren, \
               misbruik melden, markeer als gelezen, ontvolgen, niet meer volgen, intrekken, goedkeuren, afwijzen",
        put: "toevoegen, voeg toe, voegtoe, leggen, plaatsen, leegmaken, bijwerken, bewaren, opslaan, verhogen, verlagen",
        act: "vind ik leuk, volgen, melden, rapporteren, verzenden, versturen, bevestigen, annuleren, publiceren, activeren, \
              deactiveren, abonneren, accepteren, antwoorden, bewerken, verplaatsen, delen, beoordelen, blokkeren, kopen, bestellen, vergelijken",
        object: "winkelwagen, winkelmand, winkelmandje, winkelwagentje, verlanglijst, verlanglijstje, wenslijst, vergelijking, \
                 favorieten, reactie, reacties, beoordeling, vriend, rekening, profiel, bericht, berichten, bestelling, \
                 abonnement, nieuwsbrief, artikel, product, gebruiker, onderwerp, peiling, reservering",
        filler: "aan, aan de, aan mijn, uit, uit de, van, van de, in, in de, de, het, dit, deze, mijn, uw, je, alles, als",
    },
    Language {
        code: "sv",
        leave: "logga ut, logga av, utloggning, avsluta session",
        drop: "ta bort, tabort, radera, avregistrera, avprenumerera, avsluta prenumeration, rösta, köp nu, beställ nu, slutför köp, \
               lägg beställning, bekräfta order, betala nu, avbeställ, i varukorgen, lägg i varukorg, lägg i kundvagn, anmäl missbruk, \
               markera som läst, sluta följa, återkalla, töm varukorg, godkänn, avvisa",
        put: "lägg till, lägg, laggtill, lägga till, töm, uppdatera, spara, öka, minska",
        act: "gilla, följ, anmäl, rapportera, skicka, bekräfta, avbryt, publicera, aktivera, inaktivera, prenumerera, acceptera, \
              svara, redigera, flytta, dela, betygsätt, blockera, köp, beställ, jämför",
        object: "varukorg, varukorgen, kundvagn, kundvagnen, önskelista, önskelistan, jämförelse, favoriter, kommentar, kommentarer, \
                 recension, vän, konto, profil, meddelande, beställning, order, prenumeration, nyhetsbrev, artikel, produkt, \
                 användare, ämne, omröstning, bokning",
        filler: "i, till, från, den, det, denna, detta, min, mitt, mina, din, alla, som, ur",
    },
    Language {
        code: "da",
        leave: "log ud, log af, logud, afslut session",
        drop: "slet, fjern, afmeld, afmeld nyhedsbrev, opsig, stem nu, køb nu, bestil nu, gennemfør køb, afgiv ordre, \
               bekræft ordre, betal nu, annuller ordre, læg i kurv, læg i kurven, i kurven, anmeld misbrug, markér som læst, \
               stop med at følge, tilbagekald, tøm kurv, godkend, afvis",
        put: "tilføj, læg, tøm, opdater, opdatér, gem, forøg, formindsk",
        act: "synes godt om, følg, anmeld, rapportér, send, bekræft, annuller, udgiv, aktivér, deaktivér, abonner, acceptér, svar, \
              rediger, flyt, del, bedøm, bloker, køb, bestil, sammenlign",
        object: "kurv, kurven, indkøbskurv, indkøbskurven, indkøbsvogn, ønskeliste, ønskelisten, sammenligning, favoritter, kommentar, \
                 kommentarer, anmeldelse, ven, konto, profil, besked, ordre, abonnement, nyhedsbrev, vare, produkt, bruger, \
                 emne, afstemning, reservation",
        filler: "i, til, fra, den, det, denne, dette, min, mit, mine, din, alle, som",
    },
    Language {
        code: "nb",
        leave: "logg ut, logg av, loggut, utlogging, avslutt økt",
        drop: "slett, fjern, meld av, avslutt abonnement, si opp, stem nå, kjøp nå, bestill nå, fullfør kjøp, legg inn bestilling, \
               bekreft bestilling, betal nå, avbestill, i handlekurven, legg i handlekurv, legg i handlevogn, rapporter misbruk, \
               merk som lest, slutt å følge, tilbakekall, tøm handlekurv, godkjenn, avvis",
        put: "legg til, legg, leggtil, tøm, oppdater, lagre, øk, reduser",
        act: "lik, liker, følg, rapporter, send, bekreft, avbryt, publiser, aktiver, deaktiver, abonner, godta, svar, rediger, flytt, \
              del, vurder, blokker, kjøp, bestill, sammenlign",
        object: "handlekurv, handlekurven, handlevogn, kurv, ønskeliste, ønskelisten, sammenligning, favoritter, kommentar, \
                 kommentarer, anmeldelse, venn, konto, profil, melding, bestilling, ordre, abonnement, nyhetsbrev, vare, \
                 produkt, bruker, emne, avstemning, reservasjon",
        filler: "i, til, fra, den, det, denne, dette, min, mitt, mine, din, alle, som",
    },
    Language {
        code: "fi",
        leave: "kirjaudu ulos, uloskirjautuminen, kirjauduulos, lopeta istunto",
        drop: "poista, peruuta tilaus, peru tilaus, lopeta tilaus, äänestä, osta nyt, tilaa nyt, vahvista tilaus, maksa nyt, \
               lisää ostoskoriin, lisää koriin, ostoskoriin, ilmoita väärinkäytöstä, merkitse luetuksi, lopeta seuraaminen, \
               peruuta, tyhjennä ostoskori, hyväksy, hylkää",
        put: "lisää, laita, tyhjennä, päivitä, tallenna, vähennä",
        act: "tykkää, seuraa, ilmianna, ilmoita, lähetä, vahvista, julkaise, aktivoi, tilaa, vastaa, muokkaa, siirrä, jaa, arvioi, \
              estä, osta, vertaa",
        object: "ostoskori, ostoskoriin, ostoskorista, kori, koriin, toivelista, toivelistalle, toivelistalta, vertailu, vertailuun, \
                 suosikit, suosikkeihin, suosikeista, kommentti, kommentit, arvostelu, ystävä, tili, profiili, viesti, tilaus, \
                 uutiskirje, tuote, käyttäjä, aihe, kysely, varaus",
        filler: "tämä, minun, kaikki, oma",
    },
    Language {
        code: "pl",
        leave: "wyloguj, wyloguj się, wylogowanie, wylogować, zakończ sesję",
        drop: "usuń, usun, skasuj, kasuj, wypisz się, wypisz, anuluj subskrypcję, rezygnuj, głosuj, zagłosuj, kup teraz, zamów teraz, \
               złóż zamówienie, potwierdź zamówienie, zapłać teraz, anuluj zamówienie, do koszyka, dodaj do koszyka, \
               zgłoś nadużycie, oznacz jako przeczytane, przestań obserwować, cofnij, opróżnij koszyk, zatwierdź, odrzuć",
        put: "dodaj, dodawanie, wstaw, włóż, wrzuć, opróżnij, wyczyść, aktualizuj, zapisz, zwiększ, zmniejsz",
        act: "lubię to, polub, obserwuj, zgłoś, wyślij, potwierdź, anuluj, opublikuj, aktywuj, dezaktywuj, subskrybuj, akceptuj, \
              odpowiedz, edytuj, przenieś, udostępnij, oceń, zablokuj, kup, zamów, porównaj",
        object: "koszyk, koszyka, koszyku, lista życzeń, listy życzeń, życzeń, schowek, schowka, porównanie, porównania, \
                 porównywarki, ulubione, ulubionych, komentarz, komentarze, opinia, znajomy, znajomych, konto, profil, \
                 wiadomość, zamówienie, subskrypcja, newsletter, artykuł, produkt, użytkownik, temat, ankieta, rezerwacja",
        filler: "do, z, ze, na, w, ten, to, tę, moje, mój, twoje, wszystkie, jako",
    },
    Language {
        code: "cs",
        leave: "odhlásit, odhlásit se, odhlášení, ukončit relaci",
        drop: "smazat, odstranit, vymazat, odebrat, odhlásit odběr, zrušit odběr, hlasovat, koupit ihned, koupit nyní, objednat nyní, \
               odeslat objednávku, potvrdit objednávku, zaplatit nyní, zrušit objednávku, do košíku, vložit do košíku, přidat do košíku, \
               nahlásit zneužití, označit jako přečtené, přestat sledovat, vysypat košík, schválit, zamítnout",
        put: "přidat, vložit, dát, vyprázdnit, aktualizovat, uložit, zvýšit, snížit",
        act: "líbí se mi, sledovat, nahlásit, odeslat, potvrdit, zrušit, zveřejnit, aktivovat, deaktivovat, přijmout, odpovědět, \
              upravit, přesunout, sdílet, hodnotit, blokovat, koupit, objednat, porovnat",
        object: "košík, košíku, seznam přání, přání, porovnání, oblíbené, oblíbených, komentář, komentáře, recenze, přítel, účet, \
                 profil, zpráva, zprávu, objednávka, objednávku, odběr, článek, produkt, uživatel, téma, anketa, rezervace",
        filler: "do, z, ze, na, k, tento, tuto, můj, moje, všechny, jako",
    },
    Language {
        code: "sk",
        leave: "odhlásiť, odhlásiť sa, odhlásenie, ukončiť reláciu",
        drop: "zmazať, odstrániť, vymazať, odobrať, odhlásiť odber, zrušiť odber, hlasovať, kúpiť ihneď, kúpiť teraz, objednať teraz, \
               odoslať objednávku, potvrdiť objednávku, zaplatiť teraz, zrušiť objednávku, do košíka, vložiť do košíka, \
               pridať do košíka, nahlásiť zneužitie, označiť ako prečítané, prestať sledovať, schváliť, zamietnuť",
        put: "pridať, vložiť, dať, vyprázdniť, aktualizovať, uložiť, zvýšiť, znížiť",
        act: "páči sa mi, sledovať, nahlásiť, odoslať, potvrdiť, zrušiť, zverejniť, aktivovať, deaktivovať, prijať, odpovedať, upraviť, \
              presunúť, zdieľať, hodnotiť, blokovať, kúpiť, objednať, porovnať",
        object: "košík, košíka, zoznam želaní, želaní, porovnanie, obľúbené, obľúbených, komentár, komentáre, recenzia, priateľ, \
                 účet, profil, správa, správu, objednávka, objednávku, odber, článok, produkt, používateľ, téma, anketa, rezervácia",
        filler: "do, z, zo, na, k, tento, túto, môj, moje, všetky, ako",
    },
    Language {
        code: "hu",
        leave: "kijelentkezés, kijelentkezes, kilépés, kilepes, kijelentkezik",
        drop: "törlés, törlése, torles, töröl, eltávolítás, eltávolítása, eltavolitas, leiratkozás, leiratkozas, szavazás leadása, \
               szavazok, szavazz, vásárlás most, megrendelem, megrendelés elküldése, megrendelés megerősítése, fizetés most, \
               rendelés törlése, kosárba, kosárba teszem, kosárba rakom, kosárhoz adás, visszaélés bejelentése, \
               megjelölés olvasottként, követés megszüntetése, visszavonás, jóváhagyás, elutasítás",
        put: "hozzáadás, hozzáadása, hozzaadas, hozzáad, betesz, teszem, rakom, ürítés, ürítése, frissítés, mentés",
        act: "tetszik, követés, jelentés, küldés, elküldés, megerősítés, mégse, közzététel, aktiválás, feliratkozás, elfogadás, \
              válasz, szerkesztés, áthelyezés, megosztás, értékelés, tiltás, vásárlás, megrendelés, összehasonlítás",
        object: "kosár, kosárba, kosárból, kosárhoz, kívánságlista, kívánságlistához, kívánságlistára, összehasonlításhoz, kedvencek, \
                 kedvencekhez, hozzászólás, hozzászólások, ismerős, fiók, profil, üzenet, rendelés, hírlevél, termék, cikk, \
                 felhasználó, téma, foglalás",
        filler: "a, az, ez, ezt, saját, összes, mint",
    },
    Language {
        code: "ro",
        leave: "deconectare, deconectează, deconectează-te, ieșire, iesire, delogare, închide sesiunea",
        drop: "șterge, sterge, ștergere, stergere, elimină, elimina, îndepărtează, dezabonare, dezabonează-te, votează, voteaza, \
               cumpără acum, comandă acum, trimite comanda, confirmă comanda, plătește acum, anulează comanda, în coș, \
               adaugă în coș, adauga in cos, raportează abuz, marchează ca citit, nu mai urmări, revocă, golește coșul, aprobă, respinge",
        put: "adaugă, adauga, adăugare, pune, golește, actualizează, salvează, mărește",
        act: "îmi place, urmărește, raportează, trimite, confirmă, anulează, publică, activează, dezactivează, abonează-te, acceptă, \
              răspunde, editează, mută, distribuie, evaluează, blochează, cumpără, comandă, compară",
        object: "coș, cos, coșul, cosul, coșul de cumpărături, lista de dorințe, dorințe, favorite, comparație, comentariu, comentarii, \
                 recenzie, prieten, cont, profil, mesaj, comanda, abonament, articol, produs, utilizator, subiect, sondaj, rezervare",
        filler: "în, in, la, din, de, acest, această, meu, mea, toate, ca",
    },
    Language {
        code: "bg",
        leave: "изход, излез, излизане, отписване от профила, изход от профила, izhod",
        drop: "изтрий, изтриване, премахни, премахване, отпиши се, отписване, отпиши, гласувай, гласуване, купи сега, поръчай сега, \
               изпрати поръчка, потвърди поръчка, плати сега, откажи поръчка, в количката, добави в количката, \
               докладвай нередност, маркирай като прочетено, спри да следваш, изпразни количката, одобри, отхвърли",
        put: "добави, добавяне, добавете, сложи, изпразни, обнови, запази, dobavi",
        act: "харесай, харесвам, следвай, докладвай, изпрати, потвърди, откажи, публикувай, активирай, абонирай се, приеми, отговори, \
              редактирай, премести, сподели, оцени, блокирай, купи, поръчай, сравни",
        object: "количка, количката, кошница, кошницата, любими, списък с желания, желания, желани, сравнение, коментар, коментари, \
                 отзив, приятел, акаунт, профил, съобщение, поръчка, абонамент, бюлетин, продукт, артикул, потребител, тема, анкета",
        filler: "в, във, към, от, с, със, на, този, тази, това, моите, всички, като",
    },
    Language {
        code: "ru",
        leave: "выйти, выход, выход из системы, выйти из аккаунта, выйти из системы, завершить сеанс, разлогиниться, vyhod, vyiti",
        drop: "удалить, удаление, удали, убрать, стереть, отписаться, отписка, отменить подписку, отменить заказ, голосовать, \
               проголосовать, купить сейчас, купить в один клик, купить в 1 клик, заказать сейчас, оформить заказ, подтвердить заказ, \
               отправить заказ, оплатить сейчас, в корзину, добавить в корзину, положить в корзину, пожаловаться, \
               сообщить о нарушении, отметить как прочитанное, отозвать, очистить корзину, udalit, одобрить, отклонить, v korzinu",
        put: "добавить, добавление, добавь, положить, поместить, очистить, обновить, сохранить, увеличить, уменьшить, dobavit",
        act: "нравится, лайк, подписаться, следить, сообщить, отправить, подтвердить, отменить, отмена, опубликовать, активировать, \
              отключить, принять, ответить, редактировать, изменить, переместить, поделиться, оценить, заблокировать, купить, \
              заказать, сравнить, оформить",
        object: "корзина, корзину, корзине, корзины, избранное, избранного, избранном, список желаний, желания, желаний, отложенные, \
                 сравнение, сравнению, сравнения, комментарий, комментарии, отзыв, друг, друзья, друга, аккаунт, учетную запись, \
                 профиль, сообщение, заказ, подписку, подписка, рассылка, рассылки, товар, запись, пользователь, тема, тему, опрос, \
                 korzina, korzinu, izbrannoe",
        filler: "в, во, к, из, от, на, с, о, этот, эту, это, мой, мои, моих, все, как, из моих",
    },
    Language {
        code: "uk",
        leave: "вийти, вихід, вихід із системи, завершити сеанс, розлогінитися",
        drop: "видалити, видалення, прибрати, відписатися, відписка, скасувати підписку, скасувати замовлення, голосувати, \
               проголосувати, купити зараз, купити в один клік, замовити зараз, оформити замовлення, підтвердити замовлення, \
               оплатити зараз, у кошик, в кошик, додати до кошика, додати в кошик, поскаржитися, позначити як прочитане, відкликати, \
               очистити кошик, схвалити, відхилити",
        put: "додати, додавання, додай, покласти, очистити, оновити, зберегти, збільшити",
        act: "подобається, підписатися, стежити, повідомити, надіслати, підтвердити, скасувати, опублікувати, активувати, прийняти, \
              відповісти, редагувати, перемістити, поділитися, оцінити, заблокувати, купити, замовити, порівняти",
        object: "кошик, кошика, кошику, обране, обраного, список бажань, бажань, бажання, порівняння, коментар, коментарі, відгук, \
                 друг, друзі, обліковий запис, профіль, повідомлення, замовлення, підписку, розсилки, товар, запис, користувач, тема, опитування",
        filler: "в, у, до, з, із, від, на, цей, цю, це, мій, мої, моїх, усі, як",
    },
    Language {
        code: "el",
        leave: "αποσύνδεση, έξοδος, αποσυνδεθείτε, aposyndesi",
        drop: "διαγραφή, διέγραψε, αφαίρεση, αφαιρέστε, κατάργηση, απεγγραφή, διαγραφή εγγραφής, ψηφίστε, ψήφισε, αγορά τώρα, \
               αγοράστε τώρα, παραγγελία τώρα, υποβολή παραγγελίας, επιβεβαίωση παραγγελίας, πληρωμή τώρα, ακύρωση παραγγελίας, \
               στο καλάθι, προσθήκη στο καλάθι, αναφορά κατάχρησης, σήμανση ως αναγνωσμένο, κατάργηση παρακολούθησης, ανάκληση, \
               diagrafi, έγκριση, απόρριψη",
        put: "προσθήκη, προσθέστε, πρόσθεσε, άδειασμα, ενημέρωση, αποθήκευση, prosthiki",
        act: "μου αρέσει, ακολουθήστε, αναφορά, αποστολή, επιβεβαίωση, ακύρωση, δημοσίευση, ενεργοποίηση, απενεργοποίηση, εγγραφή, \
              αποδοχή, απάντηση, επεξεργασία, μετακίνηση, κοινοποίηση, αξιολόγηση, αποκλεισμός, αγορά, παραγγελία, σύγκριση",
        object: "καλάθι, καλαθιού, καλάθι αγορών, λίστα επιθυμιών, επιθυμιών, αγαπημένα, αγαπημένων, συγκρίσεις, σχόλιο, σχόλια, \
                 σχολίου, κριτική, φίλος, λογαριασμός, λογαριασμού, προφίλ, μήνυμα, παραγγελίας, συνδρομή, προϊόν, προϊόντος, \
                 χρήστης, θέμα, δημοσκόπηση",
        filler: "στο, στη, στην, στα, από, από το, από τα, το, τα, την, της, του, αυτό, μου, όλα, ως",
    },
    Language {
        code: "tr",
        leave: "çıkış, çıkış yap, cikis, cikis yap, oturumu kapat, oturum kapat, güvenli çıkış",
        drop: "sil, silme, kaldır, kaldir, çıkar, abonelikten çık, abonelik iptali, abonelikten ayrıl, oy ver, oyla, hemen al, \
               şimdi al, hemen satın al, şimdi satın al, sipariş ver, siparişi onayla, siparişi tamamla, şimdi öde, siparişi iptal et, \
               sepete ekle, sepete at, kötüye kullanım bildir, okundu olarak işaretle, takibi bırak, sepeti boşalt, onayla, reddet",
        put: "ekle, ekleme, koy, boşalt, güncelle, kaydet, artır, azalt",
        act: "beğen, takip et, bildir, şikayet et, gönder, iptal et, yayınla, etkinleştir, devre dışı bırak, abone ol, kabul et, yanıtla, \
              düzenle, taşı, paylaş, değerlendir, engelle, satın al, karşılaştır",
        object: "sepet, sepete, sepetten, sepeti, sepetim, istek listesi, istek listesine, istek listesinden, favoriler, favorilere, \
                 favorilerden, karşılaştırmaya, karşılaştırma, yorum, yorumu, arkadaş, hesap, hesabı, profil, mesaj, sipariş, siparişi, \
                 abonelik, bülten, ürün, ürünü, kullanıcı, konu, anket, rezervasyon",
        filler: "bu, şu, benim, tüm, tümünü, hemen, şimdi",
    },
    Language {
        code: "hr",
        leave: "odjava, odjavi se, odjavi me, izlogiraj se, odjavite se, одјава, одјави се, izloguj se, излогуј се",
        drop: "obriši, obrisi, izbriši, izbrisi, ukloni, odjavi newsletter, odjava s newslettera, otkaži pretplatu, otkaži narudžbu, \
               glasaj, glasuj, kupi odmah, kupi sada, naruči odmah, pošalji narudžbu, potvrdi narudžbu, plati sada, u košaricu, \
               dodaj u košaricu, stavi u košaricu, u korpu, dodaj u korpu, prijavi zlouporabu, označi kao pročitano, prestani pratiti, \
               isprazni košaricu, избриши, обриши, уклони, гласај, у корпу, додај у корпу, купи одмах, откажи поруџбину, odobri, odbij",
        put: "dodaj, dodavanje, stavi, isprazni, ažuriraj, spremi, sačuvaj, додај, стави, испразни",
        act: "sviđa mi se, prati, prijavi, pošalji, potvrdi, otkaži, objavi, aktiviraj, deaktiviraj, pretplati se, prihvati, odgovori, \
              uredi, premjesti, podijeli, ocijeni, blokiraj, kupi, naruči, usporedi, прати, пошаљи, потврди, пријави",
        object: "košarica, košaricu, košarice, kosarica, kosaricu, korpa, korpu, korpe, lista želja, listu želja, favoriti, favorite, \
                 usporedba, usporedbu, komentar, komentare, recenzija, prijatelj, račun, profil, poruka, poruku, narudžba, narudžbu, \
                 pretplata, proizvod, artikl, korisnik, tema, anketa, корпа, корпу, листу жеља, омиљене, коментар, налог, поруџбина, производ",
        filler: "u, iz, na, s, sa, ovaj, ovu, ovo, moj, moju, sve, kao, у, из, овај",
    },
    Language {
        code: "sl",
        leave: "odjava, odjavi se, odjavite se, izpis iz računa",
        drop: "izbriši, izbrisi, odstrani, odjava od novic, odjavi od novic, prekliči naročnino, prekliči naročilo, glasuj, oddaj glas, \
               kupi zdaj, naroči zdaj, oddaj naročilo, potrdi naročilo, plačaj zdaj, v košarico, dodaj v košarico, prijavi zlorabo, \
               označi kot prebrano, prenehaj slediti, izprazni košarico, odobri, zavrni",
        put: "dodaj, vstavi, izprazni, posodobi, shrani",
        act: "všeč mi je, sledi, prijavi, pošlji, potrdi, prekliči, objavi, aktiviraj, naroči se, sprejmi, odgovori, uredi, premakni, \
              deli, oceni, blokiraj, kupi, naroči, primerjaj",
        object: "košarica, košarico, kosarica, kosarico, voziček, seznam želja, priljubljene, primerjavo, primerjava, komentar, ocena, \
                 prijatelj, račun, profil, sporočilo, naročilo, naročnina, izdelek, artikel, uporabnik, tema, anketa",
        filler: "v, iz, na, s, z, ta, to, moj, mojo, vse, kot",
    },
    Language {
        code: "lt",
        leave: "atsijungti, atsijungimas, išeiti, iseiti",
        drop: "ištrinti, istrinti, trinti, pašalinti, pasalinti, atsisakyti prenumeratos, atšaukti užsakymą, balsuoti, pirkti dabar, \
               užsakyti dabar, pateikti užsakymą, patvirtinti užsakymą, mokėti dabar, į krepšelį, i krepseli, įdėti į krepšelį, \
               pranešti apie pažeidimą, pažymėti kaip skaitytą, nebesekti, ištuštinti krepšelį, atmesti",
        put: "pridėti, prideti, įdėti, ideti, ištuštinti, atnaujinti, išsaugoti",
        act: "patinka, sekti, pranešti, siųsti, patvirtinti, atšaukti, skelbti, aktyvuoti, prenumeruoti, priimti, atsakyti, redaguoti, \
              perkelti, dalintis, vertinti, blokuoti, pirkti, užsakyti, palyginti",
        object: "krepšelis, krepšelį, krepšelio, krepseli, krepselis, norų sąrašas, norų sąrašą, mėgstamiausi, palyginimas, palyginimą, \
                 komentaras, komentarą, atsiliepimas, draugas, paskyra, paskyrą, profilis, žinutė, užsakymas, užsakymą, prenumerata, prekė, \
                 produktas, vartotojas, tema, apklausa",
        filler: "į, iš, prie, šį, šią, mano, visus, kaip",
    },
    Language {
        code: "lv",
        leave: "iziet, izrakstīties, atteikties no sistēmas, izlogoties",
        drop: "dzēst, dzest, noņemt, nonemt, atteikties no jaunumiem, atrakstīties, atcelt pasūtījumu, balsot, pirkt tagad, \
               pasūtīt tagad, nosūtīt pasūtījumu, apstiprināt pasūtījumu, maksāt tagad, ielikt grozā, likt grozā, pievienot grozam, \
               ziņot par pārkāpumu, atzīmēt kā izlasītu, pārtraukt sekot, iztukšot grozu, noraidīt",
        put: "pievienot, ielikt, likt, iztukšot, atjaunināt, saglabāt",
        act: "patīk, sekot, ziņot, sūtīt, nosūtīt, apstiprināt, atcelt, publicēt, aktivizēt, abonēt, pieņemt, atbildēt, rediģēt, pārvietot, \
              dalīties, novērtēt, bloķēt, pirkt, pasūtīt, salīdzināt",
        object: "grozs, grozā, grozam, grozu, grozs, vēlmju saraksts, vēlmju sarakstam, izlase, izlasei, salīdzinājums, komentārs, komentāru, \
                 atsauksme, draugs, konts, kontu, profils, ziņa, pasūtījums, pasūtījumu, abonements, prece, produkts, lietotājs, tēma, aptauja",
        filler: "no, uz, šo, manu, visus, kā",
    },
    Language {
        code: "et",
        leave: "logi välja, logi valja, väljalogimine, välju, valju",
        drop: "kustuta, eemalda, loobu uudiskirjast, tühista tellimus, hääleta, haaleta, osta kohe, telli kohe, esita tellimus, \
               kinnita tellimus, maksa kohe, lisa ostukorvi, lisa korvi, ostukorvi lisamine, teata rikkumisest, märgi loetuks, \
               lõpeta jälgimine, tühjenda ostukorv, lükka tagasi",
        put: "lisa, lisamine, pane, tühjenda, uuenda, salvesta",
        act: "meeldib, jälgi, teata, saada, kinnita, tühista, avalda, aktiveeri, telli, nõustu, vasta, muuda, teisalda, jaga, hinda, blokeeri, osta, võrdle",
        object: "ostukorv, ostukorvi, ostukorvist, korv, korvi, soovinimekiri, soovinimekirja, lemmikud, lemmikutesse, võrdlus, võrdlusesse, \
                 kommentaar, kommentaari, arvustus, sõber, konto, profiil, sõnum, tellimus, uudiskiri, toode, kasutaja, teema, küsitlus",
        filler: "see, minu, kõik",
    },
    Language {
        code: "ja",
        leave: "ログアウト, サインアウト, ログオフ, ろぐあうと",
        drop: "削除, 削除する, 消去, 取り消す, 取消, 解除, 解除する, 配信停止, 購読解除, 退会, 退会する, 投票, 投票する, 今すぐ買う, 今すぐ購入, \
               今すぐ注文, 注文する, 注文を確定, 注文を確定する, 購入する, 注文をキャンセル, カートに入れる, カートへ入れる, カートに追加, \
               買い物かごに入れる, かごに入れる, お気に入りに追加, お気に入り登録, 通報, 通報する, 既読にする, フォロー解除, フォローをやめる, \
               空にする, 承認する, 却下",
        put: "追加, 追加する, 入れる, 登録する, 更新する, 保存する, 増やす, 減らす",
        act: "いいね, フォロー, フォローする, 報告, 送信, 送信する, 確認する, キャンセル, キャンセルする, 公開する, 返信, 返信する, 編集, 編集する, \
              移動, 共有, 評価する, ブロック",
        object: "カート, 買い物かご, かご, ほしい物リスト, 欲しいものリスト, お気に入り, 比較, 比較リスト, コメント, レビュー, 友達, アカウント, \
                 プロフィール, メッセージ, 注文, 購読, メルマガ, 商品, ユーザー, トピック, 投稿, 記事",
        filler: "を, に, へ, の, から, この, すべて, 今すぐ, する",
    },
    Language {
        code: "zh",
        leave: "退出, 退出登录, 退出登錄, 登出, 注销, 註銷, 注销登录, 安全退出, 退出账号, tuichu",
        drop: "删除, 刪除, 移除, 清空, 取消订阅, 取消訂閱, 退订, 退訂, 取消订单, 取消訂單, 投票, 立即购买, 立即購買, 马上购买, 直接購買, 提交订单, \
               提交訂單, 确认订单, 確認訂單, 立即支付, 立即下单, 加入购物车, 加入購物車, 放入购物车, 放入購物車, 加購物車, 加购物车, 加入收藏, 加入收藏夹, 举报, \
               檢舉, 标记为已读, 標記為已讀, 取消关注, 取消關注, 取消收藏, 顶一下, 踩一下, 撤销, 批准, 驳回, shanchu",
        put: "加入, 添加, 新增, 放入, 更新, 保存, 儲存",
        act: "点赞, 點讚, 赞, 讚, 关注, 關注, 收藏, 发送, 發送, 提交, 确认, 確認, 取消, 发布, 發布, 激活, 禁用, 订阅, 訂閱, 接受, 回复, 回覆, 编辑, 編輯, 移动, \
              分享, 评分, 拉黑, 购买, 購買, 下单",
        object: "购物车, 購物車, 购物袋, 购物篮, 心愿单, 愿望清单, 願望清單, 收藏夹, 收藏夾, 对比, 對比, 比较, 評論, 评论, 留言, 好友, 账户, 账号, 帳號, 帳戶, 资料, 消息, \
                 訊息, 订单, 訂單, 商品, 产品, 用户, 用戶, 帖子, 主题, 文章, 此商品, 这条评论",
        filler: "到, 至, 从, 從, 的, 此, 这, 這, 我的, 全部, 所有, 立即, 本",
    },
    Language {
        code: "ko",
        leave: "로그아웃, 로그 아웃, 로그오프",
        drop: "삭제, 삭제하기, 제거, 비우기, 수신거부, 수신 거부, 구독 취소, 구독취소, 탈퇴, 회원탈퇴, 투표, 투표하기, 바로구매, 바로 구매, 바로구매하기, 구매하기, \
               지금 구매, 주문하기, 주문 확정, 결제하기, 주문 취소, 주문취소, 장바구니 담기, 장바구니에 담기, 장바구니담기, 장바구니 추가, 신고, 신고하기, 읽음으로 표시, \
               팔로우 취소, 언팔로우, 찜하기, 추천하기, 승인, 거절",
        put: "추가, 추가하기, 담기, 넣기, 업데이트, 저장, 저장하기",
        act: "좋아요, 팔로우, 보내기, 전송, 확인, 취소, 게시, 활성화, 구독, 수락, 답글, 답변, 수정, 이동, 공유, 평가, 차단, 구매, 주문, 비교",
        object: "장바구니, 장바구니에, 장바구니에서, 위시리스트, 위시리스트에, 찜목록, 관심상품, 관심상품에, 즐겨찾기, 즐겨찾기에, 비교함, 댓글, 리뷰, 후기, 친구, 계정, 프로필, \
                 메시지, 쪽지, 주문내역, 뉴스레터, 상품, 제품, 사용자, 주제, 글, 게시글",
        filler: "을, 를, 에, 에서, 의, 이, 내, 모두, 지금, 바로",
    },
    Language {
        code: "ar",
        leave: "تسجيل الخروج, تسجيل خروج, خروج, الخروج, سجل الخروج",
        drop: "حذف, احذف, إزالة, ازالة, إلغاء الاشتراك, الغاء الاشتراك, إلغاء الطلب, تصويت, صوت, صوت الآن, اشتر الآن, اشتري الآن, شراء الآن, اطلب الآن, \
               تأكيد الطلب, إتمام الطلب, ادفع الآن, أضف إلى السلة, اضف الى السلة, أضف للسلة, إضافة إلى السلة, الإبلاغ عن إساءة, \
               تحديد كمقروء, إلغاء المتابعة, إفراغ السلة, موافقة, رفض",
        put: "أضف, اضف, إضافة, اضافة, ضع, إفراغ, تحديث, حفظ",
        act: "أعجبني, إعجاب, متابعة, تابع, إبلاغ, بلغ, إرسال, أرسل, تأكيد, إلغاء, نشر, تفعيل, تعطيل, اشتراك, قبول, رد, تعديل, نقل, مشاركة, تقييم, حظر, شراء, اطلب, مقارنة",
        object: "السلة, سلة, سلة التسوق, عربة التسوق, العربة, للسلة, المفضلة, للمفضلة, قائمة الأمنيات, قائمة الرغبات, قائمة المقارنة, المقارنة, للمقارنة, تعليق, التعليق, \
                 مراجعة, صديق, الحساب, حساب, الملف الشخصي, رسالة, الرسالة, الطلب, الاشتراك, النشرة, المنتج, منتج, المستخدم, الموضوع, استطلاع",
        filler: "إلى, الى, من, في, هذا, هذه, كل, الآن, عن",
    },
    Language {
        code: "he",
        leave: "התנתק, התנתקות, יציאה, התנתק מהמערכת, יציאה מהחשבון",
        drop: "מחק, מחיקה, הסר, הסרה, ביטול מנוי, הסרה מרשימת תפוצה, הסר מרשימת התפוצה, ביטול הזמנה, בטל הזמנה, הצבע, הצביעו, קנה עכשיו, קנו עכשיו, הזמן עכשיו, \
               אישור הזמנה, בצע הזמנה, שלם עכשיו, הוסף לסל, הוספה לסל, הוסף לעגלה, הוספה לעגלה, דווח על שימוש לרעה, סמן כנקרא, הפסק לעקוב, רוקן סל, אשר, דחה",
        put: "הוסף, הוספה, הוסיפו, שים, רוקן, עדכן, שמור",
        act: "אהבתי, לייק, עקוב, דווח, שלח, אישור, בטל, ביטול, פרסם, הפעל, השבת, הרשמה, קבל, השב, תגובה, ערוך, עריכה, העבר, שתף, דרג, חסום, קנה, הזמן, השווה",
        object: "סל, לסל, מהסל, סל הקניות, עגלה, לעגלה, מהעגלה, עגלת קניות, מועדפים, למועדפים, רשימת משאלות, לרשימת המשאלות, השוואה, להשוואה, התגובה, ביקורת, חבר, חשבון, \
                 החשבון, פרופיל, הודעה, הזמנה, ניוזלטר, מוצר, המוצר, משתמש, נושא, סקר",
        filler: "את, אל, מן, זה, זו, שלי, כל, עכשיו",
    },
    Language {
        code: "fa",
        leave: "خروج, خروج از حساب, خروج از سیستم, خروج از حساب کاربری",
        drop: "حذف, حذف کردن, پاک کردن, لغو اشتراک, لغو عضویت, لغو سفارش, رای دادن, رأی دادن, رای دهید, خرید فوری, همین حالا بخرید, سفارش دهید, ثبت سفارش, \
               تایید سفارش, پرداخت کنید, افزودن به سبد, افزودن به سبد خرید, اضافه به سبد خرید, گزارش تخلف, خالی کردن سبد, تایید, رد کردن",
        put: "افزودن, اضافه, اضافه کردن, خالی کردن, به روزرسانی, ذخیره",
        act: "پسندیدن, دنبال کردن, گزارش, ارسال, لغو, انتشار, فعال کردن, غیرفعال کردن, اشتراک, پذیرش, پاسخ, ویرایش, انتقال, اشتراک گذاری, امتیاز دادن, مسدود کردن, خرید, سفارش, مقایسه",
        object: "سبد, سبد خرید, علاقه مندی ها, علاقه مندیها, علاقمندی ها, لیست علاقه مندی, لیست مقایسه, نظر, دیدگاه, دوست, حساب, پروفایل, پیام, خبرنامه, محصول, کالا, کاربر, موضوع, نظرسنجی",
        filler: "به, از, در, این, من, همه, را",
    },
    Language {
        code: "th",
        leave: "ออกจากระบบ, ล็อกเอาท์, ล็อคเอาท์",
        drop: "ลบ, ลบออก, นำออก, ยกเลิกการสมัคร, ยกเลิกการรับข่าวสาร, ยกเลิกคำสั่งซื้อ, โหวต, ลงคะแนน, ซื้อเลย, ซื้อทันที, ซื้อตอนนี้, สั่งซื้อเลย, ยืนยันคำสั่งซื้อ, ชำระเงินทันที, \
               เพิ่มลงตะกร้า, เพิ่มในตะกร้า, หยิบใส่ตะกร้า, ใส่ตะกร้า, เพิ่มลงรถเข็น, รายงานการละเมิด, ทำเครื่องหมายว่าอ่านแล้ว, เลิกติดตาม, ล้างตะกร้า, อนุมัติ, ปฏิเสธ",
        put: "เพิ่ม, ใส่, หยิบใส่, ล้าง, อัปเดต, บันทึก",
        act: "ถูกใจ, ติดตาม, รายงาน, ส่ง, ยืนยัน, ยกเลิก, เผยแพร่, เปิดใช้งาน, ปิดใช้งาน, สมัครรับ, ยอมรับ, ตอบกลับ, แก้ไข, ย้าย, แชร์, ให้คะแนน, บล็อก, ซื้อ, สั่งซื้อ, เปรียบเทียบ",
        object: "ตะกร้า, ตะกร้าสินค้า, รถเข็น, รายการโปรด, สิ่งที่อยากได้, รายการเปรียบเทียบ, ความคิดเห็น, รีวิว, เพื่อน, บัญชี, โปรไฟล์, ข้อความ, คำสั่งซื้อ, จดหมายข่าว, สินค้า, ผู้ใช้, หัวข้อ, รายการ",
        filler: "ลง, ลงใน, ใน, จาก, นี้, ของฉัน, ทั้งหมด, ออก",
    },
    Language {
        code: "vi",
        leave: "đăng xuất, thoát, thoát ra, dang xuat",
        drop: "xóa, xoá, xoa, gỡ bỏ, loại bỏ, hủy đăng ký, huỷ đăng ký, hủy đơn hàng, huỷ đơn hàng, bỏ phiếu, bình chọn, mua ngay, đặt mua ngay, đặt hàng ngay, \
               xác nhận đơn hàng, đặt hàng, thanh toán ngay, thêm vào giỏ, thêm vào giỏ hàng, cho vào giỏ hàng, vào giỏ hàng, báo cáo vi phạm, đánh dấu đã đọc, \
               bỏ theo dõi, làm trống giỏ hàng, phê duyệt, từ chối, them vao gio hang",
        put: "thêm, them, thêm vào, cho vào, cập nhật, lưu, làm trống",
        act: "thích, theo dõi, báo cáo, gửi, xác nhận, hủy, huỷ, đăng, kích hoạt, vô hiệu hóa, chấp nhận, trả lời, sửa, chỉnh sửa, di chuyển, chia sẻ, đánh giá, chặn, mua, so sánh",
        object: "giỏ hàng, giỏ, gio hang, danh sách yêu thích, yêu thích, bình luận, bạn bè, tài khoản, hồ sơ, tin nhắn, đơn hàng, bản tin, sản phẩm, bài viết, người dùng, chủ đề, thăm dò",
        filler: "vào, khỏi, ra khỏi, từ, này, của tôi, tất cả, ngay",
    },
    Language {
        code: "id",
        leave: "keluar, keluar akun, log keluar, keluar dari akun",
        drop: "hapus, buang, padam, singkirkan, berhenti berlangganan, batal langganan, batalkan pesanan, beri suara, pilih suara, beli sekarang, beli langsung, \
               pesan sekarang, buat pesanan, konfirmasi pesanan, bayar sekarang, tambah ke keranjang, tambahkan ke keranjang, masukkan ke keranjang, \
               masukkan keranjang, ke keranjang, tambah ke troli, laporkan penyalahgunaan, tandai sudah dibaca, berhenti mengikuti, kosongkan keranjang, setujui, tolak",
        put: "tambah, tambahkan, masukkan, kosongkan, perbarui, kemas kini, simpan",
        act: "suka, ikuti, laporkan, kirim, hantar, konfirmasi, batal, batalkan, terbitkan, aktifkan, nonaktifkan, langganan, terima, balas, edit, sunting, pindah, bagikan, nilai, \
              blokir, beli, pesan, bandingkan",
        object: "keranjang, keranjang belanja, troli, daftar keinginan, keinginan, wishlist, favorit, perbandingan, komentar, ulasan, teman, akun, akaun, profil, pesanan, \
                 langganan, buletin, produk, barang, pengguna, topik, jajak pendapat",
        filler: "ke, dari, dalam, ini, saya, semua",
    },
    Language {
        code: "hi",
        leave: "लॉग आउट, लॉगआउट, साइन आउट, साइनआउट, लॉग आउट करें",
        drop: "हटाएं, हटाएँ, हटायें, मिटाएं, मिटाएँ, डिलीट, डिलीट करें, सदस्यता समाप्त करें, सदस्यता रद्द करें, ऑर्डर रद्द करें, वोट, वोट करें, मतदान करें, अभी खरीदें, अभी ख़रीदें, \
               ऑर्डर करें, ऑर्डर की पुष्टि करें, भुगतान करें, कार्ट में डालें, कार्ट में जोड़ें, दुरुपयोग की रिपोर्ट करें, पढ़ा हुआ चिह्नित करें, अनफ़ॉलो करें, स्वीकृत करें, अस्वीकार करें",
        put: "जोड़ें, जोड़े, डालें, खाली करें, अपडेट करें, सहेजें",
        act: "पसंद, लाइक, फ़ॉलो करें, रिपोर्ट करें, भेजें, पुष्टि करें, रद्द करें, प्रकाशित करें, स्वीकार करें, जवाब दें, संपादित करें, साझा करें, रेट करें, ब्लॉक करें, खरीदें, तुलना करें",
        object: "कार्ट, टोकरी, इच्छा सूची, पसंदीदा, तुलना, टिप्पणी, समीक्षा, मित्र, खाता, प्रोफ़ाइल, संदेश, ऑर्डर, न्यूज़लेटर, उत्पाद, उपयोगकर्ता, विषय, मतदान",
        filler: "में, से, को, यह, इस, मेरी, मेरा, सभी, करें",
    },
    Language {
        code: "ca",
        leave: "tanca la sessió, tancar sessió, tanca sessió, surt, desconnecta, desconnectar",
        drop: "suprimeix, elimina, esborra, eliminar, esborrar, treu, dona't de baixa, donar-se de baixa, cancel·la la subscripció, cancel·la la comanda, vota, \
               compra ara, demana ara, confirma la comanda, paga ara, afegeix a la cistella, afegir a la cistella, a la cistella, \
               denuncia abús, marca com a llegit, deixa de seguir, buida la cistella, aprova, rebutja",
        put: "afegeix, afegir, posa, buida, actualitza, desa",
        act: "m'agrada, segueix, denuncia, envia, confirma, cancel·la, publica, activa, desactiva, subscriu-te, accepta, respon, edita, mou, comparteix, valora, bloqueja, compra, compara",
        object: "cistella, carret, llista de desitjos, desitjos, preferits, comparador, comentari, comentaris, ressenya, amic, compte, perfil, missatge, comanda, \
                 subscripció, butlletí, article, producte, usuari, tema, enquesta",
        filler: "al, a la, als, del, de la, el, la, els, aquest, aquesta, meu, meva, tot",
    },
    Language {
        code: "eu",
        leave: "irten, saioa itxi, itxi saioa, saioa amaitu, deskonektatu",
        drop: "ezabatu, kendu, harpidetza utzi, baja eman, bozkatu, erosi orain, eskatu orain, eskaera baieztatu, ordaindu orain, eskaera ezeztatu, saskira gehitu, gehitu saskira, \
               gehiegikeria salatu, irakurrita markatu, jarraitzeari utzi, hustu saskia, onartu, baztertu",
        put: "gehitu, sartu, hustu, eguneratu, gorde",
        act: "gustatzen zait, jarraitu, salatu, bidali, baieztatu, ezeztatu, argitaratu, aktibatu, harpidetu, erantzun, editatu, mugitu, partekatu, baloratu, blokeatu, erosi, konparatu",
        object: "saski, saskia, saskira, saskitik, desio zerrenda, gogokoak, gogokoetara, konparazioa, iruzkina, laguna, kontua, profila, mezua, eskaera, harpidetza, buletina, \
                 produktua, erabiltzailea, gaia, inkesta",
        filler: "hau, nire, guztiak",
    },
    Language {
        code: "ms",
        leave: "log keluar, daftar keluar",
        drop: "padam, padamkan, buang, nyahlanggan, undi, beli sekarang, pesan sekarang, buat pesanan, sahkan pesanan, bayar sekarang, batalkan pesanan, \
               tambah ke bakul, masukkan ke bakul, masuk troli, laporkan salah guna, luluskan, tolak",
        put: "tambah, masukkan, kosongkan, kemaskini, simpan",
        act: "suka, ikut, lapor, hantar, sahkan, batal, terbitkan, aktifkan, langgan, terima, balas, sunting, pindah, kongsi, nilai, sekat, beli, bandingkan",
        object: "bakul, troli, senarai hajat, kegemaran, perbandingan, ulasan, rakan, akaun, profil, mesej, pesanan, langganan, produk, pengguna, topik, undian",
        filler: "ke, dari, dalam, ini, saya, semua",
    },
    Language {
        code: "ga",
        leave: "logáil amach, sínigh amach, logail amach",
        drop: "scrios, díliostáil, vótáil, ceannaigh anois, ordaigh anois, cuir sa chiseán, cuir leis an gciseán",
        put: "cuir, cuir leis, folmhaigh, nuashonraigh, sábháil",
        act: "lean, tuairiscigh, seol, deimhnigh, cealaigh, foilsigh, freagair, eagar, roinn",
        object: "ciseán, tralaí, liosta mianta, ceanáin, trácht, cuntas, próifíl, teachtaireacht, ordú, táirge",
        filler: "sa, leis, an, seo, mo",
    },
];
