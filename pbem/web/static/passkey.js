// Passkeys: asks the browser to create one or to sign in with one, and sends the credential with the form of the page.
"use strict";

for (const form of document.querySelectorAll("form[data-passkey]")) {
  const make = form.dataset.passkey === "make";
  const possible = window.PublicKeyCredential
    && (make ? PublicKeyCredential.parseCreationOptionsFromJSON : PublicKeyCredential.parseRequestOptionsFromJSON);
  if (!possible) continue;
  form.hidden = false;

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const said = form.querySelector("[data-said]");
    said.hidden = true;
    try {
      const answer = await fetch(form.dataset.options, { method: "POST", credentials: "same-origin" });
      if (!answer.ok) throw new Error(String(answer.status));
      const options = await answer.json();
      const credential = make
        ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
        : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) });
      form.elements.credential.value = JSON.stringify(credential.toJSON());
      form.submit();
    } catch (fault) {
      said.textContent = fault.name === "InvalidStateError" ? form.dataset.known : form.dataset.failed;
      said.hidden = false;
    }
  });
}
