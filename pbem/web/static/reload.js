// Loads a page again whose verdict is not there yet; without this, the browser does so by the second.
const { seconds } = document.currentScript.dataset;
setTimeout(() => location.reload(), 1000 * seconds);
