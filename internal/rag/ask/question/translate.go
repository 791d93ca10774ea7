package question

import (
	"strings"

	"github.com/ragnav/ragnav/internal/pattern"
)

// Questions in German, French and Spanish are put in English words before they are
// searched for: how they ask, and the words that are said of any program. Others stay
// as they are, as names do. It is no translation, and searches want none: they take
// words in any order.

// A frame is how a question begins, and how it does in English.
type frame struct {
	begins  pattern.Lazy
	english string
}

var frames = []frame{
	{pattern.NewLazy(`(?i)^\W*(?:wie\s+\S+\s+(?:ich|wir)|comment\s+(?:puis-je|faire pour|peut-on)|` +
		`c[óo]mo\s+(?:puedo|se puede|hago))(?:\s|$)`), "how do I"},
	{pattern.NewLazy(`(?i)^\W*(?:wie|comment|c[óo]mo)(?:\s|$)`), "how is"},
	{pattern.NewLazy(`(?i)^\W*(?:was (?:passiert|geschieht)|que (?:se passe-t-il|devient|deviennent)|` +
		`qu[ée] (?:pasa|ocurre|sucede))[\s,]`), "what happens when"},
	{pattern.NewLazy(`(?i)^\W*(?:wo|woher|où|d[óo]nde)\s`), "where is"},
	{pattern.NewLazy(`(?i)^\W*(?:warum|wieso|weshalb|pourquoi|por qu[ée])\s`), "why does"},
	{pattern.NewLazy(`(?i)^\W*(?:welche[rsnm]?|quel(?:le)?s?|cu[áa]l(?:es)?|(?:a )?qu[ée])\s`), "which"},
	{pattern.NewLazy(`(?i)^\W*(?:gibt es|y a-t-il|existe-t-il|est-ce qu'il y a|hay)\s`), "is there"},
}

// english are words that are said of programs, "word/word=meaning".
var english = func() map[string]string {
	all := map[string]string{}
	for entry := range strings.FieldsSeq(germanWords + " " + frenchWords + " " + spanishWords) {
		words, meaning, _ := strings.Cut(entry, "=")
		for word := range strings.SplitSeq(words, "/") {
			all[word] = strings.ReplaceAll(meaning, "_", " ")
		}
	}
	return all
}()

// endings are those of nouns, verbs and adjectives that words of the list are without.
var endings = []string{"en", "er", "es", "em", "n", "e", "s"}

// inEnglish is what a word means, if it is listed.
func inEnglish(word string) (string, bool) {
	word = strings.ToLower(word)
	if meaning, ok := english[word]; ok {
		return meaning, true
	}
	for _, ending := range endings {
		if stem, ok := strings.CutSuffix(word, ending); ok && len(stem) > 3 {
			if meaning, ok := english[stem]; ok {
				return meaning, true
			}
		}
	}
	return "", false
}

// asks is how a question begins in English, and what follows that; "" if it begins otherwise.
func asksInEnglish(question string) (begins, rest string) {
	for _, f := range frames {
		if at := f.begins().FindStringIndex(question); at != nil {
			return f.english, question[at[1]:]
		}
	}
	return "", question
}

//nolint:misspell // it is German
const germanWords = `
abbrechen/abgebrochen/abbruch=cancel abfrage=query abhängigkeit=dependency ablauf/abgelaufen/läuft=expire
abmelden=unregister adresse=address aktualisieren/aktualisiert=update anfrage=request anhalten/angehalten=stop
anmelden/anmeldung=login antwort=response anwendung=application anzahl=count argument=argument aufgabe=task
aufgeräumt/aufräumen=clean aufgerufen/aufruf/aufrufen=call ausführen/ausgeführt=run ausgabe=output
ausgehandelt=negotiate ausgelöst/auslösen=trigger ausgewählt/auswahl/auswählen=choose ausnahme=exception
automatisch=automatically befehl=command begrenzt/begrenzen/grenze=limit benachrichtigung=notification benutzer=user
berechnet/berechnen=compute berechtigung/recht=permission bereinigt/bereinigen=clean bibliothek=library datei=file
dateisystem=file_system daten=data datenbank=database eingabe=input eingefügt/einfügen=insert einstellung=setting
eintrag/einträge=entry entfernt/entfernen=remove entscheidet/entschieden=decide ereignis=event
erkannt/erkennen=detect erneuert/erneuern=renew erstellt/erstellen/erzeugt/erzeugen=create
erweitern/erweitert=extend fehler=error fehlgeschlagen/fehlschlägt/scheitert=fail fenster=window
fortschritt=progress funktion=function füge=add gebunden=bind gefiltert=filter gefunden=find gehalten=held
gelesen/lesen=read geladen/laden/lädt=load gelöscht/löschen/löscht=delete geparst=parse geprüft/prüfen/prüfung=check
geschlossen/schließen=close geschrieben/schreiben=write geschützt=protect gesendet/senden/sendet=send
gespeichert/speichern/speicherung=store gesperrt/sperre/sperren=lock gestartet/starten/startet=start gestoppt=stop
getrennt=separate gezählt=count größe=size gruppiert/gruppe=group hinzufügen/hinzugefügt=add höchste=maximum
initialisiert=initialize intervall=interval kennwort/passwort=password klasse=class kodiert=encode
komprimiert/komprimierung=compress konfiguration=configuration kopfzeile=header kopiert=copy leer=empty letzte=last
liste=list maximale/maximal=maximum meldung=message methode=method modul=module nachricht=message
nebenläufig=concurrent nächste=next ordner/verzeichnis=directory parallel=parallel pfad=path platzhalter=placeholder
produzent=producer protokoll=protocol protokolliert=log prozess=process puffer=buffer quelle=source rezept=recipe
regel=rule reihenfolge=order rückruf=callback sammlung=collection schema=schema schicht=layer schleife=loop
schlüssel=key schnittstelle=interface schreibgeschützt=read-only seite=page setze/setzen/gesetzt=set sicher=safe
sitzung=session sortiert/sortieren=sort speicher=memory spiegel=mirror stapel=batch
standardmäßig/standardwert/vorgabe=default sterben/stirbt/gestorben=die suche/sucht/suchen=search tabelle=table
umbenannt/umbenennen/umbenenne=rename umgewandelt/umwandeln=convert umleitung=redirect unterstützt=support
unterschied=difference variable=variable verarbeitet/verarbeiten/verarbeitung=handle verbindung=connection
verglichen/vergleichen=match verhindert=prevent verschlüsselt=encrypt version=version verworfen=discard
verzögerung=delay voll=full voreingestellt=default warten/wartet=wait warteschlange=queue wert=value
wiederholt/wiederholen/wiederholung=retry wiederverwendet=reuse wirft/geworfen=throw zeichen=character
zeichenkette=string zeile=line zeit=time zeitüberschreitung=timeout zugriff=access zurückgegeben=return
zusammengesetzt/zusammengefügt=combine zustand=state zyklisch=circular zwischengespeichert/zwischenspeicher=cache
überschritten=exceed überschrieben/überschreiben=override übersetzt=compile`

const frenchWords = `
abandonner/annuler/annulé/annulée=cancel adresse=address afficher/affiché=show ajouter/ajouté=add
analysé/analyser=parse appel/appelé/appelée/appeler=call arrêter/arrêté/arrête=stop attendre/attend/attente=wait
authentification=authentication automatiquement=automatically base=base bibliothèque=library boucle=loop cache=cache
calculé/calculer/calculée=compute champ=field charger/chargé/chargée=load chaîne=string chemin=path chiffré=encrypt
choisi/choisir/choisie=choose classe=class clé=key commande=command comparé/comparés=match compressé=compress
configuration=configuration connexion=connection construire/construit=build convertir/converti=convert copié=copy
créer/créé/créée=create couche=layer coupure=break courant=current décidé/décide=decide défaut=default délai=timeout
demande/requête=request dépassé/dépasse=exceed dépendance=dependency dernier=last détecter/détecté/détectée=detect
détient/détenu=hold dossier/répertoire=directory données=data échec/échoue=fail écrire/écrit/écrite=write
élément=element empêche/empêcher=prevent en-tête=header encodé=encode enregistrer/enregistré=store entrée=entry
envoyer/envoyé=send erreur=error essai=retry état=state étendre=extend évènement/événement=event
exécuter/exécuté/exécution/exécute=run exception=exception expire/expiré/expirée=expire fenêtre=window
fermer/fermé=close fichier=file file=queue filtre/filtré=filter fonction=function fusionné=merge
gérer/géré/gérée=handle groupé/regroupé/groupe=group horloge=clock hôte=host insérer/inséré=insert
interface=interface jeton=token lancer/lance/lève/levée=raise lecture/lire/lu=read ligne=line
limite/limiter/limité=limit liste=list longueur=length mémoire=memory message=message méthode=method mettre=set
meurt/mort=die mise=update modèle=model modifier/modifié=change module=module mot=word nettoyé=clean nombre=count
nouveau=new nom=name option=option ordre=order ouvrir/ouvert=open page=page parallèle=parallel paramètre=parameter
partagé=share plein=full premier=first priorité=priority processus=process producteur=producer protocole=protocol
recette=recipe récupérer=fetch redirection=redirect règle=rule remplacer/remplacé=replace renommé/renommer=rename
renvoyé/retourné/renvoie=return réponse=response réessayé/réessayer=retry sauvegarder=save sécurité=security
sortie=output sortir=escape source=source stocker/stocké=store suivant=next supprimer/supprimé/supprimée=remove
supporté/supporte=support sûr=safe table=table taille=size tâche=task tampon=buffer temps=time totale/total=total
traduit=translate traiter/traité/traitée=handle trier/trié=sort trouver/trouvé=find utilisateur=user
utiliser/utilisé=use valeur=value validé/vérifier/vérifié=check verrou/verrouillé=lock version=version
vider/vide=empty`

//nolint:misspell // it is Spanish
const spanishWords = `
abrir/abierto=open acceso=access actualizar/actualiza/actualizado=update agregar/añadir/añado=add
almacenar/almacena/guardar/guarda/guardado=store analizar/analiza=parse anular/cancelar/cancela=cancel
archivo/fichero=file argumento=argument arrancar/iniciar/inicia=start automáticamente=automatically
biblioteca=library bloqueado/bloqueo/bloquea/cerrojo=lock borrar/borra/eliminar/elimina/eliminan=remove bucle=loop
buscar/busca=search búfer=buffer cabecera=header cadena=string caduca/caducada/caducado/expira=expire
calcular/calcula=compute cambiar/cambia=change campo=field capa=layer carga/cargar/cargado=load
carpeta/directorio=directory cerrar/cerrado=close cifra=encrypt clase=class clave=key cliente=client cola=queue
comando=command comparar/compara=match comprobar/comprueba/verifica=check comprime/comprimir=compress
conexión/conexiones=connection configuración=configuration configurar=configure
confirma/confirman/confirmar=acknowledge construir/construye=build contraseña=password convertir/convierte=convert
copia/copiar=copy crear/crea=create cuenta/contar=count datos=data decide/decidir=decide defecto=default
dependencia=dependency detecta/detectar=detect detener/detiene/parar=stop devolver/devuelve=return
elegir/elige=choose ejecuta/ejecutar/ejecución=run elemento=element entrada=entry enviar/envía/envían=send
error=error escribir/escribe=write esperar/espera=wait estado=state evento=event excepción=exception
falla/fallar/fallo=fail filtra/filtrar=filter función=function gestiona/maneja/manejan/procesa/manejar=handle
grupo/agrupa/agrupan=group hijo=child hilo=thread igual=equal insertar/inserta=insert interfaz=interface
intervalo=interval lanza/lanzar=throw leer/lee=read límite/limita/limitar=limit línea=line lista=list
llamar/llama/llamada=call llave=key lleno=full lote=batch máximo/máxima=maximum memoria=memory mensaje=message
método=method módulo=module muere/morir=die nombre=name nuevo/nueva=new nodo=node obtener/obtiene=get
opción/opciones=option orden=order página=page palabra=word parámetro=parameter permiso=permission
petición/peticiones/solicitud/solicitudes=request plazo=timeout predeterminado=default primero=first
prioridad=priority proceso=process productor=producer propiedad=property protocolo=protocol prueba=test
reacciona=react receta=recipe redirección/redirecciones=redirect regla=rule registro/registrar=log
reintenta/reintentar/reintento=retry renombrar/renombra=rename respuesta=response retenido=held ruta=path
salida=output seguro=safe señal/señales=signal servidor=server sesión/sesiones=session siguiente=next
sigue/seguir=follow sistema=system sondeo=poll soporta=support tabla=table tamaño=size tarea=task texto=text
tiempo=time tipo=type último/última=last usuario=user usa/usar/utiliza=use valida/validar=validate
valor/valores=value vacío=empty`
