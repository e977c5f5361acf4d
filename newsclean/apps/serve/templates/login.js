"use strict";
// The token is in the fragment of the link, which browsers never send.
(() => {
  const message = document.getElementById("message");

  async function logIn(token) {
    const answer = await fetch("/login", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ token }),
    });
    if (answer.ok) {
      // Remove the token from the address bar and the history.
      history.replaceState(null, "", location.pathname + location.search);
      location.reload();
      return;
    }
    message.textContent = (await answer.json()).error;
  }

  function logInByLink() {
    const found = location.hash.match(/^#token=([\w-]+)$/);
    if (found) logIn(found[1]);
  }

  logInByLink();
  window.addEventListener("hashchange", logInByLink);
  document.getElementById("token-form").addEventListener("submit", (event) => {
    event.preventDefault();
    logIn(document.getElementById("token").value.trim().replace(/^.*#token=/, ""));
  });
})();
