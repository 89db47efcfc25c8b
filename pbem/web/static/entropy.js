// Fills the text for the deal with random numbers from this browser, and names them in the form as such.
const field = document.getElementById("entropy");
if (field && !field.value && window.crypto) {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  field.value = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const drawn = Object.assign(document.createElement("input"), { type: "hidden", name: "drawn", value: field.value });
  field.form.append(drawn);
}
